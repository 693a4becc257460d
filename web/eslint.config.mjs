// The linter finds mistakes, not matters of taste. What imports what is checked by dependency-cruiser: see .dependency-cruiser.mjs.

import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["**/dist/", "**/node_modules/"] },
  {
    files: ["*/src/**/*.{ts,tsx}"],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      // The compiler reports unused names; those with an underscore are taken out of an object on purpose.
      "@typescript-eslint/no-unused-vars": "off",
      // Interfaces declare functions in method syntax, and properties of components are taken apart.
      "@typescript-eslint/unbound-method": "off",
      // Arguments and attributes are any JSON; String() writes what the schemas allow where one stands.
      "@typescript-eslint/no-base-to-string": "off",
    },
  },
  {
    // Handlers are written against arguments of any shape.
    files: ["actions/src/{declared,types,invocation}.ts"],
    rules: { "@typescript-eslint/no-explicit-any": "off" },
  },
  {
    // What is no Error is thrown on purpose: a signal that leaves a deep copy, and what a handler of the page threw.
    files: ["actions/src/values.ts", "playground/src/handlers/run.ts"],
    rules: { "@typescript-eslint/only-throw-error": "off", "@typescript-eslint/prefer-promise-reject-errors": "off" },
  },
);
