package io.github.rehearsalsdk.proof

import io.github.rehearsalsdk.ktx.ActionRegistry
import kotlin.system.exitProcess
import kotlinx.coroutines.runBlocking

/** Prints what a perform costs in Kotlin, over what it costs with the bindings; medians of rounds that take turns. */
object Numbers {
    private const val TIMES = 20_000

    @JvmStatic
    fun main(ignored: Array<String>) {
        val actions = ActionRegistry()
        actions.bridge.register("bridge") { }
        actions.register("facade") { }
        actions.registerSuspending("suspends") { }
        val rounds = List(15) {
            listOf(
                nanoseconds { repeat(TIMES) { actions.bridge.perform("bridge", null).result().check() } },
                nanoseconds { runBlocking { repeat(TIMES) { actions.perform("facade").getOrThrow() } } },
                nanoseconds { runBlocking { repeat(TIMES / 10) { actions.perform("suspends").getOrThrow() } } } * 10,
            )
        }.drop(5) // the compiler has seen it by then
        val (bridge, facade, suspends) = List(3) { kind -> rounds.map { it[kind] }.sorted()[rounds.size / 2].toDouble() / TIMES }
        println("perform: %.1f µs with the bindings; in Kotlin %.1f µs (%.1fx), of an action that suspends %.1f µs (%.1fx)"
            .format(bridge / 1000, facade / 1000, facade / bridge, suspends / 1000, suspends / bridge))
        exitProcess(0) // threads that Go has attached are no daemons
    }

    private inline fun nanoseconds(work: () -> Unit): Long {
        val begin = System.nanoTime()
        work()
        return System.nanoTime() - begin
    }
}
