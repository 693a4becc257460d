import io.github.rehearsalsdk.ktx.ActionRegistry
import io.github.rehearsalsdk.ktx.ActionResult

suspend fun run(actions: ActionRegistry): ActionResult {
    actions.register("open-basket") { "hello from $identifier" }
    actions.start()
    return actions.perform("open-basket", mapOf("given" to mapOf("t" to "größe '1' \$x \"🎭\" \\ \n", "n" to listOf(1, -2.5, 1e+21, 9007199254740993L, null, true), "o" to emptyMap<String, Any?>())))
}
