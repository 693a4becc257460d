package io.github.rehearsalsdk.ktx

import io.github.rehearsalsdk.actions.Action
import io.github.rehearsalsdk.actions.Completion
import io.github.rehearsalsdk.actions.Listener
import io.github.rehearsalsdk.actions.Registration
import io.github.rehearsalsdk.actions.Registry
import io.github.rehearsalsdk.actions.Result
import io.github.rehearsalsdk.actions.Source
import io.github.rehearsalsdk.actions.Task
import java.util.concurrent.Executor
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.resume
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.launch
import kotlinx.coroutines.suspendCancellableCoroutine

/**
 * The actions of an app, for Kotlin. It wraps [bridge], which stays usable beside it: hosts are installed there.
 *
 * @property bridge the registry of the bindings.
 * @param scope where actions run that suspend, unless they name a context of their own.
 */
public class ActionRegistry(
    public val bridge: Registry = Registry(null),
    private val scope: CoroutineScope = CoroutineScope(SupervisorJob() + Dispatchers.Default),
) {
    internal val userDataTurns = Turns()
    internal val hangTurns = Turns()

    /** Registers an action that runs on the thread that asks for it. What it gives is the value of its result; it fails by throwing. */
    public fun register(identifier: String, action: ActionCall.() -> Any?): Registration =
        refusing { bridge.register(identifier, wrapped(action)) }

    /** Registers an action that [executor] runs, such as one for the main thread. */
    public fun register(identifier: String, executor: Executor, action: ActionCall.() -> Any?): Registration =
        refusing { bridge.registerOn(identifier, wrapped(action)) { work -> executor.execute(work::run) } }

    /** Registers an action that an executor of the bridge runs, such as `AndroidHost.mainExecutor()`. */
    public fun register(identifier: String, executor: io.github.rehearsalsdk.actions.Executor, action: ActionCall.() -> Any?): Registration =
        refusing { bridge.registerOn(identifier, wrapped(action), executor) }

    /** Registers an action that runs in the background, one at a time. */
    public fun registerInBackground(identifier: String, action: ActionCall.() -> Any?): Registration =
        refusing { bridge.registerOn(identifier, wrapped(action), null) }

    /**
     * Registers an action that suspends. [context] chooses where, such as `Dispatchers.Main`. Canceling what was asked for cancels
     * the coroutine; the time limit of the options ends the action, but not the coroutine.
     */
    public fun registerSuspending(
        identifier: String,
        context: CoroutineContext = EmptyCoroutineContext,
        action: suspend ActionCall.() -> Any?,
    ): Registration = refusing {
        bridge.register(identifier) { invocation ->
            val completion = invocation.later()
            val job = scope.launch(context) {
                runCatching { valueOf(ActionCall(invocation).action()).use(completion::succeedWith) }.onFailure(completion::failWith)
            }
            job.invokeOnCompletion { completion.fail("the scope of the action has ended") } // does nothing after an end
            completion.setCancelListener { job.cancel() }
        }
    }

    /** Removes an action, and tells whether there was one. */
    public fun unregister(identifier: String): Boolean = refusing { bridge.unregister(identifier) }

    /** The registered identifiers, without the built-ins. */
    public val identifiers: List<String>
        get() = bridge.list().let { list -> List(list.count()) { list.at(it) } }

    /** Delivers what was triggered earlier; from now on triggers run at once. */
    public fun start(): Unit = bridge.start()

    /** Performs an action here, and gives its result when it has ended. Canceling the coroutine cancels the action. */
    public suspend fun perform(identifier: String, arguments: Map<String, Any?> = emptyMap()): ActionResult =
        crossing(arguments) { bridge.perform(identifier, it) }.end()

    /** Performs an action here, and does not wait. Canceling what is given cancels the action. */
    public fun performAsync(identifier: String, arguments: Map<String, Any?> = emptyMap()): Deferred<ActionResult> =
        crossing(arguments) { bridge.perform(identifier, it) }.deferred()

    /** Performs an action in the background, and does not wait. */
    public fun performInBackground(identifier: String, arguments: Map<String, Any?> = emptyMap()): Deferred<ActionResult> =
        crossing(arguments) { bridge.performAsync(identifier, it, null) }.deferred()

    /** Runs an action that something outside of the app has asked for. Before [start] it is held. */
    public fun trigger(identifier: String, arguments: Map<String, Any?> = emptyMap(), source: ActionSource = ActionSource()): Deferred<ActionResult> =
        crossing(arguments) { given ->
            source.payload?.let(::argumentsOf).use { bridge.trigger(identifier, given, Source(source.kind, it)) }
        }.deferred()

    /** Gives every reason why [perform] would refuse these arguments. */
    public fun validate(identifier: String, arguments: Map<String, Any?> = emptyMap()): List<ActionProblem> =
        crossing(arguments) { bridge.validate(identifier, it) }.let { list ->
            List(list.count()) { ActionProblem(list.at(it).pointer(), list.at(it).message()) }
        }

    /** Says whether an action can do anything here and now. */
    public fun capability(identifier: String): ActionCapability = when (bridge.capability(identifier)) {
        "available" -> ActionCapability.AVAILABLE
        "needs_gesture" -> ActionCapability.NEEDS_GESTURE
        else -> ActionCapability.UNSUPPORTED
    }

    private fun wrapped(action: ActionCall.() -> Any?) = Action { invocation -> valueOf(ActionCall(invocation).action()).use(invocation::setValue) }
}

/** Whether an action can do anything here and now. */
public enum class ActionCapability {
    /** It can. */
    AVAILABLE,

    /** It can, right after the user has tapped something. */
    NEEDS_GESTURE,

    /** It cannot. */
    UNSUPPORTED,
}

/**
 * One reason for refusing arguments.
 *
 * @property pointer a JSON Pointer to what it is about.
 * @property message one sentence for a person.
 */
public data class ActionProblem(public val pointer: String, public val message: String)

/**
 * What caused an action to run.
 *
 * @property kind "manual", "push" or any other text.
 * @property payload what came with it, or null.
 */
public data class ActionSource(public val kind: String = "manual", public val payload: Map<String, Any?>? = null)

/**
 * A refusal by the registry.
 *
 * @property code one of the constants of the bridge that begin with Code.
 */
public class ActionException internal constructor(public val code: String, cause: Exception) : IllegalArgumentException(cause.message, cause)

private inline fun <T> refusing(ask: () -> T): T = try {
    ask()
} catch (refused: Exception) {
    throw ActionException(io.github.rehearsalsdk.actions.Actions.errorCode(refused.message.orEmpty()), refused)
}

/** Fails with what a throwable says of itself, even when that throws. */
private fun Completion.failWith(thrown: Throwable) {
    fail(runCatching { thrown.message }.getOrNull().orEmpty().ifEmpty { "an exception without a message" })
}

internal suspend fun Task.end(): ActionResult {
    ended()?.let { return it }
    return suspendCancellableCoroutine { waiting ->
        waiting.invokeOnCancellation { cancel() }
        onDone(Listener { waiting.resume(ended(it)) })
    }
}

private fun Task.deferred(): Deferred<ActionResult> {
    val deferred = CompletableDeferred<ActionResult>()
    ended()?.let(deferred::complete) ?: onDone(Listener { deferred.complete(ended(it)) })
    deferred.invokeOnCompletion { if (deferred.isCancelled) cancel() }
    return deferred
}

/** Gives the result, or null as long as there is none. What is behind the task and its result is let go of, for nobody else has them. */
private fun Task.ended(): ActionResult? = result()?.let(::ended)

private fun Task.ended(result: Result): ActionResult = result.use(::resultOf).also { close() }
