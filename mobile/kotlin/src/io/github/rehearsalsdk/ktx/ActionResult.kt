package io.github.rehearsalsdk.ktx

import io.github.rehearsalsdk.actions.Actions
import io.github.rehearsalsdk.actions.Result

/** What an action has come to. */
public sealed class ActionResult {
    /** The results of a group's items; empty for everything else. */
    public abstract val items: List<ActionResult>

    /**
     * It did what it is there for.
     *
     * @property value what it gave, or null.
     */
    public data class Performed(public val value: Any?, override val items: List<ActionResult> = emptyList()) : ActionResult()

    /** It did not. */
    public sealed class NotPerformed : ActionResult() {
        /** Says why, for people. */
        public abstract val message: String

        /** The very exception that the action has thrown, or one that says what [message] says. */
        public abstract val cause: Exception

        override val items: List<ActionResult> get() = emptyList()
    }

    /** Nothing is registered under the identifier. */
    public data class NotFound(override val message: String, override val cause: Exception) : NotPerformed()

    /** The arguments were refused; nothing was done. */
    public data class InvalidArguments(override val message: String, override val cause: Exception) : NotPerformed()

    /** This device, or this version of its system, cannot do it. */
    public data class Unsupported(override val message: String, override val cause: Exception) : NotPerformed()

    /** The platform refused, for example for want of a permission. */
    public data class Blocked(override val message: String, override val cause: Exception) : NotPerformed()

    /** The action or the host threw, failed or took too long. */
    public data class Failed(override val message: String, override val cause: Exception) : NotPerformed()

    /** It was canceled before it had ended. */
    public data class Canceled(override val message: String, override val cause: Exception, override val items: List<ActionResult> = emptyList()) : NotPerformed()

    /** A group ran, and not every item of it was performed. */
    public data class Partial(override val message: String, override val cause: Exception, override val items: List<ActionResult>) : NotPerformed()

    /** The value, or the exception. */
    public fun getOrThrow(): Any? = when (this) {
        is Performed -> value
        is NotPerformed -> throw cause
    }
}

internal fun resultOf(result: Result): ActionResult {
    val items = List(result.itemCount()) { result.item(it).use(::resultOf) }
    if (result.isPerformed) {
        return ActionResult.Performed(result.value()?.use(::valueOf), items)
    }
    val message = result.message()
    val cause = try {
        result.check()
        IllegalStateException(message)
    } catch (thrown: Exception) {
        thrown
    } catch (thrown: Throwable) {
        IllegalStateException(message, thrown)
    }
    return when (result.status()) {
        Actions.StatusNotFound -> ActionResult.NotFound(message, cause)
        Actions.StatusInvalidArguments -> ActionResult.InvalidArguments(message, cause)
        Actions.StatusUnsupported -> ActionResult.Unsupported(message, cause)
        Actions.StatusBlocked -> ActionResult.Blocked(message, cause)
        Actions.StatusCanceled -> ActionResult.Canceled(message, cause, items)
        Actions.StatusPartial -> ActionResult.Partial(message, cause, items)
        else -> ActionResult.Failed(message, cause)
    }
}
