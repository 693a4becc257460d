package io.github.rehearsalsdk.ktx

import kotlinx.serialization.DeserializationStrategy
import kotlinx.serialization.SerializationException
import kotlinx.serialization.SerializationStrategy
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.booleanOrNull
import kotlinx.serialization.json.longOrNull
import kotlinx.serialization.serializer

/** Performs an action with arguments of a serializable type. */
public suspend inline fun <reified A : Any> ActionRegistry.perform(identifier: String, arguments: A): ActionResult =
    perform(identifier, encoded(serializer<A>(), arguments))

/** The arguments as a serializable type. An action that lets the exception pass fails with it. */
public inline fun <reified A : Any> ActionCall.decoded(): A = decoded(serializer<A>(), arguments)

/** The value of the result as a serializable type. It throws the exception of an action that was not performed. */
public inline fun <reified V> ActionResult.decoded(): V = decoded(serializer<V>(), getOrThrow())

/** What an action gives when its value is of a serializable type. */
public inline fun <reified V> ActionCall.value(value: V): Any? = encodedValue(serializer<V>(), value)

@PublishedApi
internal fun <A> encoded(by: SerializationStrategy<A>, arguments: A): Map<String, Any?> {
    val value = encodedValue(by, arguments) as? Map<*, *>
        ?: throw SerializationException("arguments are an object, ${by.descriptor.serialName} is encoded as something else")
    return value.entries.associate { it.key as String to it.value }
}

@PublishedApi
internal fun <V> encodedValue(by: SerializationStrategy<V>, value: V): Any? = plain(Json.encodeToJsonElement(by, value))

@PublishedApi
internal fun <V> decoded(by: DeserializationStrategy<V>, value: Any?): V = Json.decodeFromJsonElement(by, element(value))

private fun plain(element: JsonElement): Any? = when (element) {
    JsonNull -> null
    is JsonObject -> element.mapValues { plain(it.value) }
    is JsonArray -> element.map(::plain)
    is JsonPrimitive -> if (element.isString) element.content else
        element.booleanOrNull ?: element.longOrNull ?: element.content.toULongOrNull() ?: element.content.toDouble()
}

private fun element(value: Any?): JsonElement = when (value) {
    null -> JsonNull
    is Map<*, *> -> JsonObject(value.entries.associate { it.key as String to element(it.value) })
    is List<*> -> JsonArray(value.map(::element))
    is Boolean -> JsonPrimitive(value)
    is ULong -> Json.parseToJsonElement(value.toString())
    is Number -> JsonPrimitive(value)
    else -> JsonPrimitive(value.toString())
}
