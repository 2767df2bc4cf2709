// The page's style and likely mistakes. TypeScript knows the names and the types, so no rule here asks for them.
import js from "@eslint/js";

export default [
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  {
    rules: {
      "no-undef": "off", // TypeScript's
      "no-unused-vars": "off", // TypeScript's
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "max-lines": ["error", 400],
      "no-console": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-restricted-properties": ["error", { property: "innerHTML", message: "Make elements: text is never markup." }],
      "no-shadow": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
];
