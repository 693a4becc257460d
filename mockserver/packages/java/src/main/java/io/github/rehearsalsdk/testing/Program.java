package io.github.rehearsalsdk.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** The program of this machine, from the artifact rehearsal-program with its classifier. */
final class Program {
    private Program() {
    }

    /** path is where the program is: what rehearsal.binary or REHEARSAL_BINARY names, or a copy of that in the jar. */
    static Path path() {
        String named = Server.setting("rehearsal.binary", "REHEARSAL_BINARY");
        if (!named.isEmpty()) {
            return Path.of(named);
        }
        String system = system();
        String resource = "/io/github/rehearsalsdk/program/" + system + "/" + (system.startsWith("windows") ? "rehearsal.exe" : "rehearsal");
        try (InputStream in = Program.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("the program for this machine is not on the class path: add io.github.rehearsalsdk:rehearsal-program with the classifier "
                        + system + ", or name a program in REHEARSAL_BINARY or the system property rehearsal.binary");
            }
            return copy(in.readAllBytes(), resource.substring(resource.lastIndexOf('/') + 1));
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private static String system() {
        String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String system = name.startsWith("windows") ? "windows" : name.startsWith("mac") ? "darwin" : name.replaceAll("[^a-z0-9]", "");
        String arch = System.getProperty("os.arch");
        return system + "-" + switch (arch) {
            case "x86_64" -> "amd64";
            case "aarch64" -> "arm64";
            default -> arch;
        };
    }

    /** copy puts the program into the cache of the user, once for each of its versions: a folder of all users may be another's. */
    private static Path copy(byte[] content, String name) throws IOException {
        String hash = hash(content);
        Path folder = Path.of(System.getProperty("user.home"), ".cache", "rehearsal", hash.substring(0, 16));
        Path program = folder.resolve(name);
        if (Files.exists(program) && hash(Files.readAllBytes(program)).equals(hash)) {
            return program;
        }
        Files.createDirectories(folder);
        Path whole = Files.createTempFile(folder, "new", "");
        try {
            Files.write(whole, content);
            if (!whole.toFile().setExecutable(true)) {
                throw new IOException(whole + " cannot be made executable");
            }
            Files.move(whole, program, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING); // two processes may start together
        } finally {
            Files.deleteIfExists(whole);
        }
        return program;
    }

    private static String hash(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException error) {
            throw new IllegalStateException(error);
        }
    }
}
