package io.github.rehearsalsdk.sample

import android.app.Activity
import android.os.Bundle
import android.widget.Button
import android.widget.LinearLayout
import android.widget.TextView
import io.github.rehearsalsdk.actions.Actions
import io.github.rehearsalsdk.actions.Listener
import io.github.rehearsalsdk.actions.Registry

/** A button for each of a few actions, and their results below. */
class MainActivity : Activity() {
    private lateinit var results: TextView

    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        val layout = LinearLayout(this)
        layout.setOrientation(LinearLayout.VERTICAL)
        layout.setFitsSystemWindows(true) // from Android 15 on an app reaches under the system's bars
        results = TextView(this)
        for ((title, identifier, arguments) in EXAMPLES) {
            val button = Button(this)
            button.setText(title)
            button.setOnClickListener { perform(identifier, arguments) }
            layout.addView(button)
        }
        layout.addView(results)
        setContentView(layout)
    }

    /** Performs in the background, as actions may take their time, and shows the result on the main thread. */
    private fun perform(identifier: String, arguments: String) {
        val registry = registry() ?: return
        registry.performAsync(identifier, Actions.argumentsFromJSON(arguments), Listener { result ->
            val line = "$identifier: ${result.json()}\n"
            runOnUiThread { results.setText(line + results.text) } // the newest on top, as the screen is short
        })
    }

    private fun registry(): Registry? = (application as? SampleApplication)?.registry

    private companion object {
        val EXAMPLES = listOf(
            Triple("Say hello", "say-hello", """{"name": "Ada"}"""),
            Triple("Say hello to nobody", "say-hello", "{}"),
            Triple("Copy", "service.clipboard", """{"t": "copied by an action"}"""),
            Triple("Open a page", "service.deeplink", """{"l": "https://example.com", "li": true}"""),
            Triple("Ask for notifications, or open their settings", "service.smart_reoptin", "{}"),
            Triple("Two at once", "service.group", """{"actions": [["say-hello", {"name": "Bob"}], ["service.user.event", {"e": "greeted"}]]}"""),
            Triple("Rate the app, which this sample cannot", "service.rating", "{}"),
        )
    }
}
