package io.github.rehearsalsdk.sample

import io.github.rehearsalsdk.playground.AndroidPlayground

/** The sample in its debug build: it joins the playground of `mockserver serve`. */
class DebugApplication : SampleApplication() {
    override fun onCreate() {
        super.onCreate()
        AndroidPlayground.join(this, registry, null, null) // for a phone in a network: the address and the code that the page shows
    }
}
