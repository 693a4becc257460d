package io.github.rehearsalsdk.proof

import io.github.rehearsalsdk.ktx.ActionRegistry
import io.github.rehearsalsdk.ktx.ActionResult
import io.github.rehearsalsdk.ktx.decoded
import io.github.rehearsalsdk.ktx.perform
import io.github.rehearsalsdk.ktx.value
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException

/** Checks arguments and values of serializable types. */
object Serialization {
    @Serializable
    enum class Size { SMALL, LARGE }

    @Serializable
    data class Order(val name: String, val size: Size, val count: Long? = null, val price: Double, val most: ULong, val tags: List<String>, val more: Map<String, Boolean>)

    private val order = Order("tea", Size.LARGE, null, 2.5, ULong.MAX_VALUE, listOf("hot"), mapOf("sweet" to true))

    @JvmStatic
    fun main(ignored: Array<String>) {
        val checks = Checks()
        checks.check("arguments and values") {
            runBlocking {
                val actions = ActionRegistry()
                actions.register("order") { value(decoded<Order>()) }
                Checks.same(actions.perform("order", order).decoded<Order>(), order)
                val seen = actions.perform("order", order).getOrThrow() as Map<*, *>
                Checks.same(seen["size"], "LARGE")
                Checks.same(seen["most"], ULong.MAX_VALUE)
                actions.register("price") { value(2.5) }
                Checks.same(actions.perform("price").decoded<Double>(), 2.5)
            }
        }
        checks.check("what does not fit fails") {
            runBlocking {
                val actions = ActionRegistry()
                actions.register("order") { decoded<Order>() }
                val result = actions.perform("order", mapOf("name" to "tea"))
                Checks.`is`(result is ActionResult.Failed && result.message.contains("size"), "$result")
            }
        }
        checks.check("a list is no arguments") {
            val thrown = Checks.thrown { runBlocking { ActionRegistry().perform("order", arrayOf(1)) } }
            Checks.`is`(thrown is SerializationException, "$thrown")
        }
        checks.done()
    }
}
