import client.apis.LegacyExportsApi
import client.apis.ProfileExportsApi
import client.infrastructure.Serializer
import client.models.LegacyExportRecord
import client.models.LegacyUserbaseRequest
import client.models.ProfilesAttributesOutputItem
import client.models.ProfilesAttributesRequest
import client.models.ProfilesCreateRequest
import client.models.ProfilesExportRecord
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import okhttp3.OkHttpClient
import okhttp3.Request
import retrofit2.Response
import retrofit2.Retrofit
import retrofit2.converter.gson.GsonConverterFactory

// A client that openapi-generator generated asks for an export of each interface, looks it up until it is finished, and downloads
// its file.

const val PAUSE = 100L // milliseconds; a service in production is asked every minute

fun main() = runBlocking {
    legacy()
    profiles()
}

fun client(vararg headers: Pair<String, String>): Retrofit {
    val http = OkHttpClient.Builder()
        .followRedirects(false) // the link that a file redirects to is asked for without the token
        .addInterceptor { chain ->
            val request = chain.request().newBuilder()
            headers.forEach { (name, value) -> request.header(name, value) }
            chain.proceed(request.build())
        }
    return Retrofit.Builder()
        .baseUrl(System.getenv("MOCK"))
        .client(http.build())
        .addConverterFactory(GsonConverterFactory.create(Serializer.gson))
        .build()
}

fun <T> Response<T>.good(): T = body() ?: error("${code()}: ${errorBody()?.string()}")

/** The link of a file is a credential of its own, and gets no other. */
fun download(link: String): String =
    OkHttpClient().newCall(Request.Builder().url(link).build()).execute().use {
        check(it.isSuccessful) { "the file was answered with ${it.code}" }
        it.body!!.string()
    }

suspend fun legacy() {
    val exports = client("X-Authorization" to "rest_demo").create(LegacyExportsApi::class.java)
    val request = LegacyUserbaseRequest(ids = listOf(LegacyUserbaseRequest.Ids.custom_id))
    val created = exports.userbaseCreate("live_demo", request).good()
    while (true) {
        val export = exports.legacyStatus("live_demo", created.requestId).good()
        when (export.status) {
            LegacyExportRecord.Status.ERROR -> error(export.errorMsg!!)
            LegacyExportRecord.Status.SUCCESS -> {
                println("userbase: ${download(export.fileUrl.toString()).trimEnd().lines().size} lines")
                return
            }
            else -> delay(PAUSE)
        }
    }
}

suspend fun profiles() {
    val exports = client("Authorization" to "Bearer token_demo", "X-Service-Project" to "project_demo")
        .create(ProfileExportsApi::class.java)
    val request = ProfilesAttributesRequest(
        exportType = ProfilesAttributesRequest.ExportType.ATTRIBUTES,
        attributes = listOf("\$email_address", "\$language"),
    )
    val created = exports.profilesCreate(ProfilesCreateRequest(request)).good()
    while (true) {
        val export = exports.profilesView(created.id).good()
        when (export.status) {
            ProfilesExportRecord.Status.ERROR -> error(export.errorMessage!!)
            ProfilesExportRecord.Status.SUCCESS -> {
                val total = export.files!!.sumOf { file ->
                    val redirect = exports.profilesDownload(file.id)
                    val link = redirect.headers()["Location"] ?: error("the download was answered with ${redirect.code()}")
                    Serializer.gson.fromJson(download(link), Array<ProfilesAttributesOutputItem>::class.java).size
                }
                println("profiles: $total")
                return
            }
            else -> delay(PAUSE)
        }
    }
}
