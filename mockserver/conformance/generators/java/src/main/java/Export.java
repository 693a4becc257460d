import client.ApiClient;
import client.ApiException;
import client.LegacyExportsApi;
import client.ProfileExportsApi;
import client.model.LegacyUserbaseRequest;
import client.model.ProfilesAttributesOutputItem;
import client.model.ProfilesAttributesRequest;
import client.model.ProfilesCreateRequest;
import com.fasterxml.jackson.core.type.TypeReference;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;

/** A client that openapi-generator generated asks for an export of each interface, looks it up until it is finished, and downloads its file. */
public class Export {
    private static final long PAUSE = 100; // milliseconds; a service in production is asked every minute

    public static void main(String[] arguments) throws Exception {
        legacy();
        profiles();
    }

    private static ApiClient client() {
        ApiClient client = new ApiClient();
        client.updateBaseUri(System.getenv("MOCK"));
        return client;
    }

    /** The link of a file is a credential of its own, and gets no other. */
    private static String download(URI link) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(link).build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) throw new IllegalStateException("the file was answered with " + answer.statusCode());
        return answer.body();
    }

    private static void legacy() throws Exception {
        ApiClient client = client();
        client.setRequestInterceptor(request -> request.header("X-Authorization", "rest_demo"));
        LegacyExportsApi exports = new LegacyExportsApi(client);
        var created = exports.userbaseCreate("live_demo", new LegacyUserbaseRequest().addIdsItem(LegacyUserbaseRequest.IdsEnum.CUSTOM_ID));
        while (true) {
            var export = exports.legacyStatus("live_demo", created.getRequestId());
            switch (export.getStatus()) {
                case ERROR -> throw new IllegalStateException(export.getErrorMsg());
                case SUCCESS -> {
                    System.out.println("userbase: " + download(export.getFileUrl()).lines().count() + " lines");
                    return;
                }
                default -> Thread.sleep(PAUSE);
            }
        }
    }

    private static void profiles() throws Exception {
        // The link that a file redirects to is asked for without the token, so redirects are not followed here.
        ApiClient client = client();
        client.setHttpClientBuilder(HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER));
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer token_demo").header("X-Service-Project", "project_demo"));
        ProfileExportsApi exports = new ProfileExportsApi(client);
        var request = new ProfilesAttributesRequest()
                .exportType(ProfilesAttributesRequest.ExportTypeEnum.ATTRIBUTES)
                .attributes(List.of("$email_address", "$language"));
        var created = exports.profilesCreate(new ProfilesCreateRequest(request));
        while (true) {
            var export = exports.profilesView(created.getId());
            switch (export.getStatus()) {
                case ERROR -> throw new IllegalStateException(export.getErrorMessage());
                case SUCCESS -> {
                    int total = 0;
                    for (var file : export.getFiles()) {
                        String part = download(location(exports, file.getId()));
                        total += ApiClient.createDefaultObjectMapper().readValue(part, new TypeReference<List<ProfilesAttributesOutputItem>>() {}).size();
                    }
                    System.out.println("profiles: " + total);
                    return;
                }
                default -> Thread.sleep(PAUSE);
            }
        }
    }

    /** The generated client takes every status but 2xx for a refusal, a redirect as well. */
    private static URI location(ProfileExportsApi exports, String file) throws ApiException {
        try {
            exports.profilesDownload(file);
            throw new IllegalStateException("the download does not redirect");
        } catch (ApiException redirect) {
            if (redirect.getCode() != 307) throw redirect;
            return URI.create(redirect.getResponseHeaders().firstValue("Location").orElseThrow());
        }
    }
}
