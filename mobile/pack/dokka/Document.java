import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import org.jetbrains.dokka.DokkaBootstrapImpl;

/** Runs Dokka with a file of its settings, as its command line would, which cannot be had. Warnings go to the standard error. */
public final class Document {
	public static void main(String[] arguments) throws Exception {
		DokkaBootstrapImpl dokka = new DokkaBootstrapImpl();
		dokka.configure(new String(Files.readAllBytes(Paths.get(arguments[0])), StandardCharsets.UTF_8), (level, message) -> {
			if (level.equals("warn") || level.equals("error")) {
				System.err.println(message);
			}
		});
		try {
			dokka.generate();
		} catch (Throwable failure) {
			failure.printStackTrace();
			System.exit(1);
		}
		System.exit(0); // a thread of the analysis may be left
	}
}
