package io.github.rehearsalsdk.proof

import io.github.rehearsalsdk.actions.Actions
import io.github.rehearsalsdk.actions.Arguments
import io.github.rehearsalsdk.actions.Options
import io.github.rehearsalsdk.actions.Registration
import io.github.rehearsalsdk.actions.Registry
import io.github.rehearsalsdk.ktx.ActionCall
import io.github.rehearsalsdk.ktx.ActionException
import io.github.rehearsalsdk.ktx.ActionRegistry
import io.github.rehearsalsdk.ktx.ActionResult
import io.github.rehearsalsdk.ktx.ActionSource
import io.github.rehearsalsdk.ktx.arguments
import java.io.PrintStream
import kotlin.system.exitProcess
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.SupervisorJob

/** Does the steps of vectors with the Kotlin façade. The Go package mobile/internal/proof describes what it reads and writes. */
object Vectors {
    private val inBackground = java.lang.Boolean.getBoolean("background")
    private val suspending = java.lang.Boolean.getBoolean("suspending")
    private lateinit var phone: Phone
    private lateinit var actions: ActionRegistry
    private val registrations = HashMap<String, Registration>()
    private val tasks = ArrayList<Pair<String, Deferred<ActionResult>>>()
    private val turns = ArrayDeque<() -> Unit>()

    @JvmStatic
    fun main(ignored: Array<String>) {
        val out = PrintStream(System.out, false, "UTF-8")
        for (line in generateSequence(::readLine)) {
            val answer = try {
                answer(Actions.argumentsFromJSON(line))
            } catch (failure: Throwable) {
                arguments { "failure" to failure.toString() }
            }
            out.println(json(answer))
            out.flush()
        }
        exitProcess(0) // threads that Go has attached are no daemons
    }

    private fun answer(request: Arguments): Map<String, Any?> = when (val op = request.getString("op", "")) {
        "new" -> {
            create(request.getArguments("host"))
            emptyMap()
        }
        "do" -> step(request.getArguments("step"))
        "look" -> look(request.getInt64("task", -1).toInt())
        "turn" -> arguments {
            val turn = turns.removeFirstOrNull()
            turn?.invoke()
            flush()
            "turned" to (turn != null)
        }
        "effects" -> arguments { "effects" to read("""{"all":${phone.effects().json()}}""").getValue("all") }
        else -> error("unknown op $op")
    }

    private fun create(host: Arguments) {
        val options = Options()
        options.setPlatform(host.getString("platform", ""), host.getString("version", ""))
        // Nothing is dispatched, so that a step has done what it can when it returns.
        actions = ActionRegistry(Registry(options), CoroutineScope(SupervisorJob() + Dispatchers.Unconfined))
        phone = Phone(host)
        phone.install(actions.bridge)
        registrations.clear()
        tasks.clear()
        turns.clear()
    }

    /** Waits until the worker has done what it had to do, and has told the results of that, on which others wait, in turn. */
    private fun flush() = repeat(40) {
        checkNotNull(actions.bridge.performAsync("nothing.is.registered.as.this", null, null).await(60_000)) { "the worker does not come to an end" }
    }

    private fun step(step: Arguments): Map<String, Any?> {
        val subject = step.getString("subject", "")
        val given = read(step.getString("arguments", ""))
        return when (val what = step.getString("do", "")) {
            "perform" -> begun(subject, if (inBackground) actions.performInBackground(subject, given) else actions.performAsync(subject, given))
            "trigger" -> {
                val payload = step.getString("payload", "")
                begun(subject, actions.trigger(subject, given, ActionSource(step.getString("kind", ""), if (payload.isEmpty()) null else read(payload))))
            }
            else -> arguments { "answer" to reply(what, subject, given, step) }
        }
    }

    private fun reply(what: String, subject: String, given: Map<String, Any?>, step: Arguments) = arguments {
        when (what) {
            "register" -> try {
                registrations[step.getString("as", "")] = register(subject, step.getString("handler", ""))
                "ok" to true
            } catch (refused: ActionException) {
                "ok" to false
                "error" to refused.code
            } catch (refused: Refused) {
                "ok" to false
                "error" to refused.code
            }
            "unregister" -> try {
                "removed" to actions.unregister(subject)
            } catch (refused: ActionException) {
                "removed" to false
                "error" to refused.code
            }
            "dispose" -> "removed" to registrations.getValue(subject).unregister()
            "start" -> {
                actions.start()
                flush()
                "ok" to true
            }
            "validate" -> {
                val problems = actions.validate(subject, given)
                "ok" to problems.isEmpty()
                "at" to problems.map { it.pointer }
            }
            "capability" -> "state" to actions.capability(subject).name.lowercase()
            "list" -> "identifiers" to actions.identifiers
            else -> error("unknown step $what")
        }
    }

    private fun begun(subject: String, task: Deferred<ActionResult>): Map<String, Any?> {
        tasks += subject to task
        flush()
        return look(tasks.size - 1) + ("task" to tasks.size - 1)
    }

    @OptIn(ExperimentalCoroutinesApi::class)
    private fun look(number: Int): Map<String, Any?> {
        val (subject, task) = tasks[number]
        return if (task.isCompleted) mapOf("answer" to told(task.getCompleted(), subject.lowercase() == "service.group")) else emptyMap()
    }

    private fun told(result: ActionResult, isGroup: Boolean): Map<String, Any?> = arguments {
        "status" to when (result) {
            is ActionResult.Performed -> "performed"
            is ActionResult.NotFound -> "not_found"
            is ActionResult.InvalidArguments -> "invalid_arguments"
            is ActionResult.Unsupported -> "unsupported"
            is ActionResult.Blocked -> "blocked"
            is ActionResult.Failed -> "failed"
            is ActionResult.Canceled -> "canceled"
            is ActionResult.Partial -> "partial"
        }
        when (result) {
            is ActionResult.Performed -> if (result.value != null) "value" to result.value
            is ActionResult.NotPerformed -> "message" to result.message
        }
        val ran = result is ActionResult.Performed || result is ActionResult.Partial || result is ActionResult.Canceled
        if (isGroup && ran) "items" to result.items.map { told(it, false) }
    }

    /** Registers the action that a vector names. */
    private fun register(identifier: String, name: String): Registration {
        val at = name.removePrefix("perform:")
        return when {
            name == "record" && suspending -> actions.registerSuspending(identifier) { record() }
            name == "record" -> actions.register(identifier) { record() }
            name == "fail" && suspending -> actions.registerSuspending(identifier) { throw Exception("failed on purpose") }
            name == "fail" -> actions.register(identifier) { throw Exception("failed on purpose") }
            name == "panic" -> actions.register(identifier) { error("panicked on purpose") }
            name == "wait" || name == "wait-record" -> actions.registerSuspending(identifier) {
                val turn = CompletableDeferred<Unit>()
                turns.addLast { turn.complete(Unit) }
                turn.await()
                if (name == "wait-record") record()
            }
            at != name -> actions.registerSuspending(identifier) { perform(at, this.arguments).getOrThrow() }
            else -> refused { actions.bridge.register(identifier, null) } // which Kotlin does not let pass
        }
    }

    private fun refused(ask: () -> Registration): Registration = try {
        ask()
    } catch (refused: Exception) {
        throw Refused(Actions.errorCode(refused.message.orEmpty()))
    }

    private class Refused(val code: String) : Exception(code)

    private fun ActionCall.record() {
        val came = source
        phone.effects().addArguments(crossed(arguments {
            "handler" to identifier
            "arguments" to this@record.arguments
            "source" to if (came == ActionSource()) "manual" else arguments {
                "kind" to came.kind
                if (came.payload != null) "payload" to came.payload
            }
        }))
    }

    /** Gives what an action sees of JSON. */
    private fun read(json: String): Map<String, Any?> {
        if (json.isEmpty()) return emptyMap()
        val reader = ActionRegistry()
        var read: Map<String, Any?> = emptyMap()
        reader.register("read") { read = arguments }
        reader.bridge.perform("read", Actions.argumentsFromJSON(json)).result().check()
        return read
    }

    /** Gives what an action below the façade sees of arguments. */
    private fun crossed(map: Map<String, Any?>): Arguments {
        val writer = ActionRegistry()
        var crossed = Arguments()
        writer.bridge.register("write") { crossed = it.arguments() }
        writer.performAsync("write", map)
        return crossed
    }

    private fun json(map: Map<String, Any?>): String = crossed(map).json()
}
