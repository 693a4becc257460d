// A request written as a command and in four languages, each a whole program of its standard library.

import { shellQuote } from "./shell";

/** A request, ready to be sent or written in some language. */
export interface Prepared {
  method: string;
  /** From the first slash on. */
  path: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: string;
}

/** A way to write something down for a server at `base`. */
export interface Language<T> {
  name: string;
  title: string;
  write(what: T, base: string): string;
}

const quoted = JSON.stringify;

/** The request as a command. */
export function curl({ method, path, headers, body }: Prepared, base: string): string {
  const verb = method === "POST" ? [] : [`-X ${method}`];
  const lines = [`curl -sS ${shellQuote(base + path)}`, ...verb, ...headers.map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`)];
  return [...lines, `-d ${shellQuote(body)}`].join(" \\\n  ");
}

function javascript({ method, path, headers, body }: Prepared, base: string): string {
  return `const response = await fetch(${quoted(base + path)}, {
  method: ${quoted(method)},
  headers: {
${headers.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},`).join("\n")}
  },
  body: ${quoted(body)},
});
console.log(response.status, await response.text());`;
}

// The escapes of a JSON text are those of a text in Python, Go and Java, but for what is outside of the basic plane.
const text = (value: string): string =>
  quoted(value).replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

// Go has no halves of a pair, and Python would send them as they are: there a text stands in UTF-8.
const utf8 = (value: string): string => quoted(value).replaceAll("\u007f", "\\u007f");

/** The request as a program in Python. */
export function python({ method, path, headers, body }: Prepared, base: string): string {
  return `import urllib.error
import urllib.request

request = urllib.request.Request(
    ${utf8(base + path)},
    method=${utf8(method)},
    headers={
${headers.map(([name, value]) => `        ${utf8(name)}: ${utf8(value)},`).join("\n")}
    },
    data=${utf8(body)}.encode(),
)
try:
    response = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    response = error
print(response.status, response.read().decode())`;
}

function go({ method, path, headers, body }: Prepared, base: string): string {
  return `package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
)

func main() {
	request, err := http.NewRequest(${utf8(method)}, ${utf8(base + path)}, strings.NewReader(${utf8(body)}))
	if err != nil {
		log.Fatal(err)
	}
${headers.map(([name, value]) => `	request.Header.Set(${utf8(name)}, ${utf8(value)})`).join("\n")}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.StatusCode, string(body))
}`;
}

function java({ method, path, headers, body }: Prepared, base: string): string {
  return `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

public class Export {
    public static void main(String[] arguments) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(${text(base + path)}))
${headers.map(([name, value]) => `                .header(${text(name)}, ${text(value)})`).join("\n")}
                .method(${text(method)}, HttpRequest.BodyPublishers.ofString(${text(body)}))
                .build();
        var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(response.statusCode() + " " + response.body());
    }
}`;
}

/** The ways to write a request, the shortest first. */
export const languages: readonly Language<Prepared>[] = [
  { name: "curl", title: "curl", write: curl },
  { name: "javascript", title: "JavaScript", write: javascript },
  { name: "python", title: "Python", write: python },
  { name: "go", title: "Go", write: go },
  { name: "java", title: "Java", write: java },
];
