import { h } from "vue";
import Theme from "vitepress/theme-without-fonts";
import "./style.css";

/** Leads out of the site, to the page of the server. A link of the navigation would stay below /guide/, and change the page within it. */
const ServerLink = () => h("a", { class: "server-link", href: "/", target: "_self" }, "Server page");

export default { extends: Theme, enhanceApp: ({ app }) => app.component("ServerLink", ServerLink) };
