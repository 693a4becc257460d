package io.github.rehearsalsdk.proof

import io.github.rehearsalsdk.actions.Options
import io.github.rehearsalsdk.actions.Registry
import io.github.rehearsalsdk.ktx.ActionException
import io.github.rehearsalsdk.ktx.ActionRegistry
import io.github.rehearsalsdk.ktx.ActionResult
import io.github.rehearsalsdk.ktx.ActionSource
import io.github.rehearsalsdk.ktx.Hang
import io.github.rehearsalsdk.ktx.UserDataEvent
import io.github.rehearsalsdk.ktx.arguments
import io.github.rehearsalsdk.ktx.group
import io.github.rehearsalsdk.ktx.hangs
import io.github.rehearsalsdk.ktx.userData
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Executor
import java.util.concurrent.Executors
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout

/** Checks what Kotlin adds to the bridge. */
object Facade {
    @JvmStatic
    fun main(ignored: Array<String>) {
        val checks = Checks()
        fun check(name: String, body: suspend CoroutineScope.(ActionRegistry) -> Unit) =
            checks.check(name) { runBlocking { withTimeout(60_000) { body(ActionRegistry()) } } }
        check("values cross both ways") { values(it) }
        check("what cannot cross is refused by its name") { odd(it) }
        check("a result is one of its kinds") { results(it) }
        check("refusals have a code") { refusals(it) }
        check("an action that suspends") { suspending(it) }
        check("a cancellation reaches the other side") { cancellation(it) }
        check("each action where it wants to be") { executors(it) }
        check("a scope that has ended") { endedScope() }
        check("groups") { groups(it) }
        check("events of the user") { events(it) }
        check("what hangs is told") { hangs() }
        check("what a perform has made is let go of") { letGo(it) }
        checks.done()
    }

    private fun same(found: Any?, wanted: Any?) = Checks.same(found, wanted)

    private suspend fun values(actions: ActionRegistry) {
        val all = arguments {
            "null" to null
            "bool" to true
            "int" to 1
            "long" to Long.MIN_VALUE
            "unsigned" to ULong.MAX_VALUE
            "double" to 1.5
            "text" to "ü\uD83D\uDE00"
            "list" to listOf(1, "two", null, listOf<Any?>())
            "nested" to arguments { "deep" to arguments { "er" to "x" } }
        }
        val wanted = all + mapOf("int" to 1L, "list" to listOf(1L, "two", null, listOf<Any?>()))
        actions.register("echo") { arguments }
        same(actions.perform("echo", all).getOrThrow(), wanted)
        actions.register("delegates") {
            val text: String by arguments
            val double: Double by arguments
            "$text $double"
        }
        same(actions.perform("delegates", all).getOrThrow(), "ü\uD83D\uDE00 1.5")
        actions.register("unit") { }
        same(actions.perform("unit"), ActionResult.Performed(null))
        actions.start()
        actions.register("source") { source.kind + source.payload + item + depth }
        same(actions.trigger("source", source = ActionSource("push", mapOf("id" to 7))).await().getOrThrow(), "push{id=7}null0")
    }

    private suspend fun odd(actions: ActionRegistry) {
        val refused = Checks.thrown { actions.performAsync("x", mapOf("a" to Thread.currentThread())) }
        Checks.`is`(refused is IllegalArgumentException && "java.lang.Thread" in refused.message.orEmpty(), "$refused")
        actions.register("odd") { Thread.currentThread() }
        val result = actions.perform("odd")
        Checks.`is`(result is ActionResult.Failed && "java.lang.Thread" in result.message, "$result")
    }

    private suspend fun results(actions: ActionRegistry) {
        val exception = Exception("on purpose")
        actions.register("fails") { throw exception }
        val failed = actions.perform("fails") as ActionResult.Failed
        Checks.`is`(failed.cause === exception && failed.message == "on purpose", "another exception")
        Checks.`is`(actions.perform("nobody") is ActionResult.NotFound, "not not found")
        Checks.`is`(actions.perform("service.clipboard") is ActionResult.InvalidArguments, "not invalid")
        Checks.`is`(actions.perform("service.dismiss") is ActionResult.Unsupported, "not unsupported")
        actions.bridge.setDismisser { it.blocked("no") }
        Checks.`is`(actions.perform("service.dismiss") is ActionResult.Blocked, "not blocked")
        actions.register("dies") { throw OutOfMemoryError("on purpose") }
        Checks.`is`(actions.perform("dies") is ActionResult.Failed, "not failed")
        actions.registerSuspending("hostile") {
            throw object : RuntimeException() {
                override val message: String get() = throw this
            }
        }
        same((actions.perform("hostile") as ActionResult.Failed).message, "an exception without a message")
    }

    private fun refusals(actions: ActionRegistry) {
        fun code(ask: () -> Unit) = (Checks.thrown(ask) as ActionException).code
        same(code { actions.register(" ") { } }, "invalid_identifier")
        same(code { actions.registerSuspending("service.x") { } }, "reserved_identifier")
        same(code { actions.unregister("service.x") }, "reserved_identifier")
    }

    private suspend fun suspending(actions: ActionRegistry) {
        actions.registerSuspending("slow") {
            delay(10)
            "slowly " + arguments["by"]
        }
        same(actions.perform("slow", arguments { "by" to "me" }).getOrThrow(), "slowly me")
        same(actions.performInBackground("slow").await().getOrThrow(), "slowly null")
        actions.registerSuspending("outer") { perform("slow", mapOf("by" to "outer")).getOrThrow() }
        same(actions.perform("outer").getOrThrow(), "slowly outer")
        actions.registerSuspending("circle") { perform("circle").getOrThrow() }
        Checks.`is`(actions.perform("circle") is ActionResult.Failed, "a circle does not end")
    }

    private suspend fun CoroutineScope.cancellation(actions: ActionRegistry) {
        val begun = CompletableDeferred<Unit>()
        val ended = CompletableDeferred<Unit>()
        actions.registerSuspending("waits") {
            try {
                begun.complete(Unit)
                awaitCancellation()
            } finally {
                ended.complete(Unit)
            }
        }
        val asks = launch { actions.perform("waits") }
        begun.await()
        asks.cancelAndJoin()
        ended.await()
    }

    private suspend fun executors(actions: ActionRegistry) {
        val main = Executors.newSingleThreadExecutor { Thread(it, "main thread").apply { isDaemon = true } }
        val here = Thread.currentThread()
        actions.register("here") { Thread.currentThread() === here }
        actions.register("main", main) { Thread.currentThread().name }
        actions.register("broken", Executor { throw IllegalStateException("shut down") }) { }
        actions.registerInBackground("background") { Thread.currentThread() !== here }
        actions.registerSuspending("dispatched", main.asCoroutineDispatcher()) { Thread.currentThread().name.substringBefore(" @") }
        same(actions.perform("here").getOrThrow(), true)
        same(actions.perform("main").getOrThrow(), "main thread")
        same(actions.perform("background").getOrThrow(), true)
        same(actions.perform("dispatched").getOrThrow(), "main thread")
        same((actions.perform("broken") as ActionResult.Failed).message, "shut down")
    }

    private suspend fun endedScope() {
        val scope = CoroutineScope(Dispatchers.Default)
        val actions = ActionRegistry(scope = scope)
        actions.registerSuspending("waits") { awaitCancellation() }
        val waits = actions.performAsync("waits")
        scope.cancel()
        Checks.`is`(waits.await() is ActionResult.Failed, "it goes on")
        Checks.`is`(actions.perform("waits") is ActionResult.Failed, "it begins")
    }

    private suspend fun groups(actions: ActionRegistry) {
        actions.registerSuspending("a") { item }
        val result = actions.perform("service.group", group("a" to emptyMap(), "nobody" to emptyMap(), "a" to emptyMap())) as ActionResult.Partial
        same(result.items[0], ActionResult.Performed(0L))
        Checks.`is`(result.items[1] is ActionResult.NotFound, "found")
        same(result.items[2], ActionResult.Performed(2L))
    }

    private suspend fun CoroutineScope.events(actions: ActionRegistry) {
        Checks.`is`(actions.perform("service.user.event", mapOf("e" to "e")) is ActionResult.Unsupported, "nobody collects")
        val collected = async(start = CoroutineStart.UNDISPATCHED) { actions.userData.take(3).toList() }
        while (actions.perform("service.user.event", arguments { "e" to "bought"; "t" to listOf("x"); "a" to arguments { "price" to 3 } }) !is ActionResult.Performed) {
            kotlinx.coroutines.yield()
        }
        actions.perform("service.user.tag", arguments { "a" to "add"; "c" to "c"; "t" to "t" }).getOrThrow()
        actions.perform("service.user.tag", arguments { "a" to "remove"; "c" to "c"; "t" to "t" }).getOrThrow()
        same(collected.await(), listOf(UserDataEvent.Tracked("bought", null, listOf("x"), mapOf("price" to 3L)),
            UserDataEvent.TagAdded("c", "t"), UserDataEvent.TagRemoved("c", "t")))
        // The end of an earlier collector stops no later one.
        val earlier = launch(Dispatchers.Unconfined) { actions.userData.collect { throw AssertionError("the earlier one is told $it") } }
        val later = async(Dispatchers.Unconfined) { actions.userData.first() }
        earlier.cancelAndJoin()
        actions.perform("service.user.event", mapOf("e" to "later")).getOrThrow()
        same(later.await(), UserDataEvent.Tracked("later", null, listOf(), mapOf()))
        // The end of the last one is the end.
        while (actions.perform("service.user.event", mapOf("e" to "nobody")) !is ActionResult.Unsupported) kotlinx.coroutines.yield()
    }

    private suspend fun CoroutineScope.hangs() {
        val options = Options()
        options.setCallbackLimit(10)
        val actions = ActionRegistry(Registry(options))
        val letGo = CountDownLatch(1)
        val earlier = launch(Dispatchers.Unconfined) { actions.hangs.collect { throw AssertionError("the earlier one is told $it") } }
        val told = async(Dispatchers.Unconfined) { actions.hangs.first() }
        earlier.cancelAndJoin()
        actions.register("hangs") { letGo.await() }
        val hanging = actions.performInBackground("hangs")
        same(told.await(), Hang("\"hangs\"", 10))
        letGo.countDown()
        hanging.await().getOrThrow()
    }

    /**
     * Only what the app may have kept stays: the call that an action was given, what ends one that suspends, and the exception of a result
     * that is Go's.
     */
    private suspend fun letGo(actions: ActionRegistry) {
        actions.register("greet") { "hello" }
        actions.registerSuspending("later") { listOf("hello") }
        actions.register("refuse") { error("refused") }
        for ((identifier, kept) in mapOf("greet" to 1, "later" to 2, "refuse" to 1, "nobody" to 1)) {
            val before = Checks.tracked()
            repeat(500) { actions.perform(identifier, mapOf("a" to listOf(1, mapOf("b" to it)))) }
            val more = Checks.tracked() - before
            Checks.`is`(more <= 500 * kept, "$more objects are left of 500 times $identifier")
        }
    }
}
