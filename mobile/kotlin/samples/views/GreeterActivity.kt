package io.github.rehearsalsdk.sample.views

import android.app.Activity
import android.app.Application
import android.os.Bundle
import android.widget.Button
import android.widget.LinearLayout
import android.widget.TextView
import io.github.rehearsalsdk.actions.Registry
import io.github.rehearsalsdk.android.AndroidHost
import io.github.rehearsalsdk.ktx.ActionRegistry
import io.github.rehearsalsdk.ktx.ActionResult
import io.github.rehearsalsdk.ktx.arguments
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch

/** Makes the registry when the app starts, registers its actions, and starts it. The manifest names this class. */
class GreeterApplication : Application() {
    lateinit var actions: ActionRegistry
        private set

    override fun onCreate() {
        super.onCreate()
        val host = AndroidHost(this)
        actions = ActionRegistry(Registry(host.options()))
        host.install(actions.bridge)
        actions.register("say-hello") {
            val name: String by arguments
            "Hello, $name!"
        }
        actions.register("title", AndroidHost.mainExecutor()) { "on ${Thread.currentThread().name}" }
        actions.start()
    }
}

/** A button for an action, and its results below. */
class GreeterActivity : Activity() {
    private lateinit var results: TextView
    private val scope = CoroutineScope(SupervisorJob() + Main)

    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        val actions = (application as GreeterApplication).actions
        results = TextView(this)
        val button = Button(this)
        button.setText("Say hello")
        button.setOnClickListener {
            scope.launch {
                results.text = when (val result = actions.perform("say-hello", arguments { "name" to "Ada" })) {
                    is ActionResult.Performed -> result.value.toString()
                    is ActionResult.NotPerformed -> result.message
                }
            }
        }
        val layout = LinearLayout(this)
        layout.setOrientation(LinearLayout.VERTICAL)
        layout.addView(button)
        layout.addView(results)
        setContentView(layout)
    }

    override fun onDestroy() {
        scope.cancel() // cancels what goes on
        super.onDestroy()
    }
}
