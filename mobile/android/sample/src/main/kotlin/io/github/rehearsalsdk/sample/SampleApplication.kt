package io.github.rehearsalsdk.sample

import android.app.Application
import io.github.rehearsalsdk.actions.Action
import io.github.rehearsalsdk.actions.Actions
import io.github.rehearsalsdk.actions.Event
import io.github.rehearsalsdk.actions.Registry
import io.github.rehearsalsdk.android.AndroidHost
import io.github.rehearsalsdk.android.UserDataSink

/** Makes the registry when the app starts, registers its actions, and starts it: only then are triggers delivered. */
open class SampleApplication : Application() {
    lateinit var registry: Registry
        private set

    override fun onCreate() {
        super.onCreate()
        val host = AndroidHost(this).userDataTo(Notes)
        registry = Registry(host.options())
        host.install(registry)
        registry.register("say-hello", Action { invocation ->
            val name = invocation.arguments().getStringOrThrow("name")
            invocation.setValue(Actions.stringValue("Hello, $name!"))
        })
        registry.start()
    }

    /** Stands in for whatever an app sends tags and events to. */
    private object Notes : UserDataSink {
        override fun addTag(collection: String, tag: String) = println("added $tag to $collection")

        override fun removeTag(collection: String, tag: String) = println("removed $tag from $collection")

        override fun trackEvent(event: Event) = println("event ${event.json()}")
    }
}
