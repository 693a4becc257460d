package io.github.rehearsalsdk.ktx

import io.github.rehearsalsdk.actions.Invocation

/** One call of an action: what the code of the action sees. It may be kept, and used from any thread. */
public class ActionCall internal constructor(private val bridge: Invocation) {
    /** The identifier as it was registered. */
    public val identifier: String get() = bridge.identifier()

    /** The arguments; there may be none in it. `val name: String by arguments` reads one. */
    public val arguments: Map<String, Any?> by lazy(LazyThreadSafetyMode.PUBLICATION) { bridge.arguments().use(::mapOf) }

    /** What caused the action to run. */
    public val source: ActionSource
        get() = bridge.source().let { ActionSource(it.kind(), it.payload()?.use(::mapOf)) }

    /** The position in the group that runs this action, or null when no group does. */
    public val item: Int? get() = bridge.item().takeIf { it >= 0 }

    /** How many performs this one is inside of. */
    public val depth: Int get() = bridge.depth()

    /** Performs another action from inside this one: those that perform each other for ever fail. */
    public suspend fun perform(identifier: String, arguments: Map<String, Any?> = emptyMap()): ActionResult =
        crossing(arguments) { bridge.perform(identifier, it) }.end()
}
