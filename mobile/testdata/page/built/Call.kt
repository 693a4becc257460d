import io.github.rehearsalsdk.ktx.ActionRegistry
import io.github.rehearsalsdk.ktx.ActionResult
import io.github.rehearsalsdk.ktx.ActionSource

suspend fun run(actions: ActionRegistry): ActionResult {
    actions.start()
    return actions.trigger("service.user.event", mapOf("e" to "seen", "l" to null, "t" to listOf("a"), "a" to mapOf("t" to "größe '1' \$x \"🎭\" \\ \n", "n" to listOf(1, -2.5, 1e+21, 9007199254740993L, null, true), "o" to emptyMap<String, Any?>())), ActionSource("push", mapOf("campaign" to "spring \$1"))).await()
}
