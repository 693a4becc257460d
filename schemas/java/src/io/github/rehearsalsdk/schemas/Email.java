package io.github.rehearsalsdk.schemas;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Format;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** E-mail addresses as the Go package takes them; networknt asks for a top-level domain that it knows. */
final class Email implements Format {
    private static final String ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\x{80}-\\x{10FFFF}-]+";
    private static final Pattern LOCAL = Pattern.compile(ATOM + "(?:\\." + ATOM + ")*|\"(?:[^\"\\\\\r\n]|\\\\.)*\"");
    private static final String LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
    private static final String BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final Pattern DOMAIN = Pattern.compile(
            LABEL + "(?:\\." + LABEL + ")*\\.?|\\[" + BYTE + "(?:\\." + BYTE + "){3}\\]|\\[IPv6:[0-9A-Fa-f:.]+\\]");

    @Override
    public String getName() {
        return "email";
    }

    @Override
    public boolean matches(ExecutionContext context, String value) {
        int at = value.lastIndexOf('@');
        return at >= 0
                && bytes(value) <= 254
                && bytes(value.substring(0, at)) <= 64
                && LOCAL.matcher(value.substring(0, at)).matches()
                && DOMAIN.matcher(value.substring(at + 1)).matches();
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
