package io.github.rehearsalsdk.ktx

import io.github.rehearsalsdk.actions.Completion
import io.github.rehearsalsdk.actions.Event
import io.github.rehearsalsdk.actions.HangListener
import io.github.rehearsalsdk.actions.UserDataHost
import kotlinx.coroutines.channels.ProducerScope
import kotlinx.coroutines.channels.awaitClose
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.callbackFlow

/** What actions do to what is known of the user. */
public sealed class UserDataEvent {
    /**
     * A tag was added.
     *
     * @property collection where it was added.
     * @property tag what was added.
     */
    public data class TagAdded(public val collection: String, public val tag: String) : UserDataEvent()

    /**
     * A tag was removed.
     *
     * @property collection from where it was removed.
     * @property tag what was removed.
     */
    public data class TagRemoved(public val collection: String, public val tag: String) : UserDataEvent()

    /**
     * Something happened.
     *
     * @property name what happened.
     * @property label the label, or null.
     * @property tags the tags; there may be none.
     * @property data what else is known of it.
     */
    public data class Tracked(
        public val name: String,
        public val label: String?,
        public val tags: List<String>,
        public val data: Map<String, Any?>,
    ) : UserDataEvent()
}

/**
 * Tags and events of the user, while they are collected: `service.user.tag` and `service.user.event` are unsupported otherwise, and
 * fail when what was not yet collected fills the buffer. The collector that began last is the one that is told; share the flow for more.
 */
public val ActionRegistry.userData: Flow<UserDataEvent>
    get() = callbackFlow {
        val turn = userDataTurns.begin { bridge.setUserData(Sink(this)) }
        awaitClose { userDataTurns.end(turn) { bridge.setUserData(null) } }
    }

/** Collectors that take turns: the end of one changes nothing when another has begun since. */
internal class Turns {
    private var latest = 0

    /** Begins a turn, and gives its number. */
    @Synchronized
    fun begin(set: () -> Unit): Int {
        set()
        return ++latest
    }

    /** Ends a turn, unless it is over. */
    @Synchronized
    fun end(turn: Int, clear: () -> Unit) {
        if (turn == latest) clear()
    }
}

private class Sink(private val to: ProducerScope<UserDataEvent>) : UserDataHost {
    override fun addTag(collection: String, tag: String, completion: Completion) = send(UserDataEvent.TagAdded(collection, tag), completion)

    override fun removeTag(collection: String, tag: String, completion: Completion) = send(UserDataEvent.TagRemoved(collection, tag), completion)

    override fun trackEvent(event: Event, completion: Completion) {
        val tags = event.tags().let { tags -> List(tags.count()) { tags.at(it) } }
        send(UserDataEvent.Tracked(event.name(), if (event.hasLabel()) event.label() else null, tags, event.data().use(::mapOf)), completion)
    }

    private fun send(event: UserDataEvent, completion: Completion) {
        if (to.trySend(event).isSuccess) completion.succeed() else completion.fail("too many events wait for who collects them")
    }
}

/**
 * A call of the app that has not returned within the callback limit of the options.
 *
 * @property what the identifier of an action in quotes, the method of a host, or "a listener".
 * @property milliseconds the limit.
 */
public data class Hang(public val what: String, public val milliseconds: Long)

/** The calls of the app that hang, while they are collected. The collector that began last is the one that is told. */
public val ActionRegistry.hangs: Flow<Hang>
    get() = callbackFlow {
        val turn = hangTurns.begin { bridge.setHangListener(HangListener { trySend(Hang(it.what(), it.milliseconds())) }) }
        awaitClose { hangTurns.end(turn) { bridge.setHangListener(null) } }
    }
