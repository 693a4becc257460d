package io.github.rehearsalsdk.sample.compose

import androidx.compose.foundation.layout.Column
import androidx.compose.material.Button
import androidx.compose.material.Text
import androidx.compose.runtime.Composable
import androidx.compose.runtime.LaunchedEffect
import androidx.compose.runtime.mutableStateListOf
import androidx.compose.runtime.remember
import androidx.compose.runtime.rememberCoroutineScope
import io.github.rehearsalsdk.ktx.ActionRegistry
import io.github.rehearsalsdk.ktx.ActionResult
import io.github.rehearsalsdk.ktx.arguments
import io.github.rehearsalsdk.ktx.group
import io.github.rehearsalsdk.ktx.userData
import kotlinx.coroutines.launch

/** A button for each of a few actions, their results below, and what happens meanwhile. The app makes the registry when it starts. */
@Composable
fun GreeterScreen(actions: ActionRegistry) {
    val lines = remember { mutableStateListOf<String>() }
    val scope = rememberCoroutineScope() // what goes on is canceled with the screen
    LaunchedEffect(actions) { actions.userData.collect { lines += it.toString() } }
    Column {
        for ((title, identifier, given) in examples) {
            Button(onClick = { scope.launch { lines += told(identifier, actions.perform(identifier, given)) } }) { Text(title) }
        }
        for (line in lines) Text(line)
    }
}

private fun told(identifier: String, result: ActionResult): String = when (result) {
    is ActionResult.Performed -> "$identifier: ${result.value ?: "done"}"
    is ActionResult.Unsupported -> "$identifier: not on this device"
    is ActionResult.NotPerformed -> "$identifier: ${result.message}"
}

private val examples: List<Triple<String, String, Map<String, Any?>>> = listOf(
    Triple("Say hello", "say-hello", arguments { "name" to "Ada" }),
    Triple("Say hello to nobody", "say-hello", emptyMap()),
    Triple("Copy", "service.clipboard", arguments { "t" to "copied by an action" }),
    Triple("Two at once", "service.group", group("say-hello" to mapOf("name" to "Bob"), "service.user.event" to mapOf("e" to "greeted"))),
)
