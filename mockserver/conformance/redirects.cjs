// Loaded before Prism: it follows redirects itself, and the client would never see the 307 that leads to a file. With this the
// redirect is passed on like any other answer.
const fetch = require(require.resolve("node-fetch", { paths: [require.resolve("@stoplight/prism-http")] }));

const original = fetch.default;
fetch.default = (url, options) => original(url, { ...options, redirect: "manual" });
