package io.github.rehearsalsdk.ktx

import io.github.rehearsalsdk.actions.Actions
import io.github.rehearsalsdk.actions.ArgumentList
import io.github.rehearsalsdk.actions.Arguments
import io.github.rehearsalsdk.actions.Value

/** Marks the builder, so that an inner one does not reach the outer one. */
@DslMarker
@Target(AnnotationTarget.CLASS)
public annotation class ArgumentsDsl

/** Collects arguments: `arguments { "name" to "Ada"; "cart" to arguments { "count" to 2 } }`. */
@ArgumentsDsl
public class ArgumentsBuilder internal constructor() {
    internal val all = LinkedHashMap<String, Any?>()

    /** Adds an argument: null, a boolean, a number, a text, a list or a map of these. */
    public infix fun String.to(value: Any?) {
        all[this] = value
    }
}

/** Builds arguments. */
public fun arguments(build: ArgumentsBuilder.() -> Unit): Map<String, Any?> = ArgumentsBuilder().apply(build).all

/** Builds the arguments of `service.group`: what it runs, in this order. */
public fun group(vararg items: Pair<String, Map<String, Any?>>): Map<String, Any?> =
    mapOf("actions" to items.map { (identifier, arguments) -> listOf(identifier, arguments) })

/** Has something done with what crosses the bridge for arguments, and closes that. */
internal inline fun <T> crossing(map: Map<*, *>, use: (Arguments) -> T): T = argumentsOf(map).use(use)

internal fun argumentsOf(map: Map<*, *>): Arguments = Arguments().also { arguments ->
    for ((key, value) in map) {
        require(key is String) { "the name of an argument is a ${key?.javaClass?.name}, a String is required" }
        valueOf(value).use { arguments.setValue(key, it) }
    }
}

/** What crosses the bridge for a value, or null for [Unit], which is none. */
internal fun valueOf(value: Any?): Value? = when (value) {
    Unit -> null
    null -> Actions.nullValue()
    is Boolean -> Actions.boolValue(value)
    is Byte, is Short, is Int, is Long -> Actions.int64Value((value as Number).toLong())
    is UInt -> Actions.int64Value(value.toLong())
    is ULong -> Actions.valueFromJSON(value.toString())
    is Float, is Double -> Actions.doubleValue((value as Number).toDouble())
    is CharSequence -> Actions.stringValue(value.toString())
    is Enum<*> -> Actions.stringValue(value.name)
    is Map<*, *> -> crossing(value, Actions::argumentsValue)
    is Iterable<*> -> ArgumentList().use { list ->
        value.forEach { item -> valueOf(item).use { list.addValue(it) } }
        Actions.listValue(list)
    }
    is Array<*> -> valueOf(value.asList())
    else -> throw IllegalArgumentException(
        "a ${value.javaClass.name} cannot be an argument: null, a Boolean, a number, a text, a list or a map is required",
    )
}

/** Gives what a value of the bridge is here. */
internal fun valueOf(value: Value): Any? = when (value.type()) {
    Actions.TypeBool -> value.asBool(false)
    Actions.TypeInt64 -> value.asInt64(0)
    Actions.TypeUint64 -> value.json().toULong()
    Actions.TypeDouble -> value.asDouble(0.0)
    Actions.TypeString -> value.asString("")
    Actions.TypeList -> value.asList().use { list -> List(list.count()) { list.at(it).use(::valueOf) } }
    Actions.TypeArguments -> value.asArguments().use(::mapOf)
    else -> null
}

/** Gives arguments of the bridge as they are here. */
internal fun mapOf(arguments: Arguments): Map<String, Any?> {
    val keys = arguments.keys()
    return buildMap {
        for (i in 0 until keys.count()) {
            val key = keys.at(i)
            put(key, arguments.getValue(key).use(::valueOf))
        }
    }
}
