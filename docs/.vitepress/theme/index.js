import theme from "vitepress/theme";
import Playground from "../playground.vue";

export default { extends: theme, enhanceApp: ({ app }) => app.component("Playground", Playground) };
