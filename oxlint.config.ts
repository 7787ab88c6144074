/** A relative path's target depends on the folder's depth, so there is a block for every depth. */
const up = (depth: number, path: string) => `${"../".repeat(depth)}${path}`

/** Files of a layer in a folder so many levels deep. */
const filesAt = (layer: string, depth: number) => [`${layer}/${"*/".repeat(depth)}*.{ts,tsx}`]

/** Crooked paths, which would lead past the other patterns. */
const CROOKED = [".", "..", "**/..", "./**/./**", "../**/./**", "./../**", "**/[!.]*/../**"]

/** Allowed imports. In a group, "!" allows again, and the last match counts. */
const imports = (
  group: ReadonlyArray<string>,
  message: string,
  paths: ReadonlyArray<object> = [],
) => ({
  "no-restricted-imports": [
    "error",
    { paths, patterns: [{ group: [...group, ...CROOKED], caseSensitive: true, message }] },
  ],
})

const TOO_DEEP = imports(["**"], "Folders this deep have no import rule: flatten the folder.")

const tooDeep = (layer: string, depth: number) => ({
  files: [`${layer}/${"*/".repeat(depth)}**/*.{ts,tsx}`],
  rules: TOO_DEEP,
})

/** Paths that lead out of the layer. From a folder at its top, one step is enough. */
const outOf = (depth: number) =>
  depth === 0 ? ["../**"] : ["!../**", `${"../".repeat(depth + 1)}**`]

/** The parts of effect that the core may use: computation, but no files and networks. */
const EFFECT = [
  "**",
  "!effect",
  "!effect/[A-Z]*",
  "!effect/encoding/**",
  "!effect/schema/**",
  "!./**",
]

const core = (depth: number) => ({
  files: filesAt("core", depth),
  rules: imports(
    [...EFFECT, ...outOf(depth)],
    "The core sees effect and itself; the world is behind core/ports.",
    [
      {
        name: "effect",
        importNames: ["FileSystem", "Terminal", "Stdio", "ManagedRuntime", "Runtime"],
        message: "The core describes effects and does no input or output.",
      },
    ],
  ),
})

const ALIASES = [
  "payport",
  "payport/**",
  "@payport/**",
  "#**",
  "#*/**",
  "/**",
  "file:**",
  "file:*/**",
]

/** An adapter that needs another is wired to it in apps. */
const adapters = (depth: number) => ({
  files: filesAt("adapters", depth),
  rules: imports(
    [
      ...(depth === 0
        ? ["./**", "../**", "!../core/**"]
        : [
            up(depth, "**"),
            `!${up(depth, "http/contract/**")}`,
            `!${up(depth, "shared/**")}`,
            `!${up(depth + 1, "core/**")}`,
          ]),
      ...ALIASES,
    ],
    "An adapter sees the core, its folder, adapters/shared and adapters/http/contract.",
  ),
})

/** The functions of node:crypto that the simulator may use: those whose results are repeatable. */
const REPEATABLE = [
  "createHash",
  "createHmac",
  "timingSafeEqual",
  "createPrivateKey",
  "createPublicKey",
  "sign",
  "verify",
  "hash",
]

const SEEN = [
  "core/**",
  "adapters/memory/**",
  "adapters/http/contract/**",
  "adapters/http/client.ts",
  "adapters/http/client/**",
  "adapters/http/mpp/**",
  "adapters/http/x402/**",
  "adapters/shared/x402/**",
]

const simulator = (depth: number) => ({
  files: filesAt("simulator", depth),
  rules: imports(
    [
      "**",
      "!effect",
      "!effect/**",
      "!node:crypto",
      "!./**",
      ...outOf(depth),
      ...SEEN.map((path) => `!${up(depth + 1, path)}`),
    ],
    "The simulator sees effect, the core, adapters/memory, the HTTP client.",
    [
      {
        name: "node:crypto",
        allowImportNames: REPEATABLE,
        message: "A simulated world takes its chance from its seed.",
      },
    ],
  ),
})

const CLOCK = "Time is effect's Clock."
const NETWORK = "The network is behind a port."
const STATIC = "Use a static import."
const GLOBAL = "Reach for no global object."
const FILES = "Files are behind a port."

const GLOBALS = {
  Date: CLOCK,
  performance: CLOCK,
  Temporal: CLOCK,
  setTimeout: "Wait with Effect.sleep.",
  setInterval: "Repeat with a Schedule.",
  setImmediate: "Yield with Effect.yieldNow.",
  queueMicrotask: "Yield with Effect.yieldNow.",
  crypto: "Randomness is effect's Random or a port.",
  fetch: NETWORK,
  WebSocket: NETWORK,
  EventSource: NETWORK,
  XMLHttpRequest: NETWORK,
  process: "Settings and the process belong to apps.",
  Buffer: "Use Uint8Array.",
  console: "Log with Effect.log.",
  require: STATIC,
  module: STATIC,
  global: GLOBAL,
  globalThis: GLOBAL,
  __dirname: FILES,
  __filename: FILES,
}

const RUNS = ["runSync", "runSyncExit", "runPromise", "runPromiseExit", "runFork", "runCallback"]

/** No clock, no chance and no input or output: a run is repeated by repeating its inputs. */
const repeatable = (layer: string, properties: ReadonlyArray<object> = []) => ({
  files: [`${layer}/**/*.ts`],
  rules: {
    "no-restricted-globals": [
      "error",
      { globals: Object.entries(GLOBALS).map(([name, message]) => ({ name, message })) },
    ],
    "no-restricted-properties": [
      "error",
      { object: "Math", property: "random", message: "Randomness is effect's Random." },
      { object: "DateTime", property: "nowUnsafe", message: CLOCK },
      ...properties,
    ],
  },
})

export default {
  ignorePatterns: ["dist", "coverage", "apps/examples"],
  plugins: ["typescript", "unicorn", "oxc", "import", "node", "jsx-a11y"],
  categories: { correctness: "error", suspicious: "error" },
  options: { reportUnusedDisableDirectives: "error" },
  env: { es2024: true, node: true },
  rules: {
    "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    "no-control-regex": "off",
    "no-underscore-dangle": "off",
    "unicorn/consistent-function-scoping": "off",
    "unicorn/no-array-sort": "off",
    "no-var": "error",
    "prefer-const": "error",
    eqeqeq: ["error", "always", { null: "ignore" }],
    "no-eval": "error",
    "no-new-func": "error",
    "import/no-cycle": "error",
    "import/no-default-export": "error",
    "import/no-duplicates": "off",
    "import/no-unassigned-import": "off",
    "typescript/consistent-return": "off",
    "typescript/no-generated-empty-object-type": "off",
    "typescript/no-misused-spread": "off",
    "typescript/no-unsafe-type-assertion": "off",
    "typescript/no-explicit-any": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/no-unsafe-argument": "error",
    "typescript/no-unsafe-assignment": "error",
    "typescript/no-unsafe-call": "error",
    "typescript/no-unsafe-member-access": "error",
    "typescript/no-unsafe-return": "error",
    "typescript/switch-exhaustiveness-check": [
      "error",
      { considerDefaultExhaustiveForUnions: true },
    ],
    "typescript/no-non-null-assertion": "error",
    "typescript/ban-ts-comment": "error",
    "typescript/no-require-imports": "error",
    "typescript/triple-slash-reference": ["error", { lib: "never", path: "never", types: "never" }],
    "typescript/consistent-type-imports": ["error", { disallowTypeAnnotations: true }],
    "unicorn/no-abusive-eslint-disable": "error",
  },
  overrides: [
    {
      files: ["{core,adapters,simulator,apps}/**/*.{ts,tsx}"],
      rules: {
        "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
        "max-lines-per-function": ["error", { max: 70, skipBlankLines: true, skipComments: true }],
      },
    },
    {
      files: ["{core,adapters,simulator}/**/*.{ts,tsx}"],
      rules: { "no-console": "error", "node/no-process-env": "error" },
    },
    // A suite of checks is a long list; the rules for tests apply to it.
    { files: ["apps/payport/testing/**/*.ts"], rules: { "max-lines-per-function": "off" } },
    {
      files: ["test/**/*.ts", "apps/payport/testing/**/*.ts"],
      rules: {
        "no-shadow": "off",
        "typescript/no-non-null-assertion": "off",
        "typescript/no-unsafe-assignment": "off",
      },
    },
    {
      files: ["**/*.cjs"],
      rules: {
        "typescript/no-require-imports": "off",
        "typescript/no-unsafe-assignment": "off",
        "typescript/no-unsafe-call": "off",
        "typescript/no-unsafe-member-access": "off",
      },
    },
    // Written from the contract, a declaration each.
    {
      files: ["adapters/http/client/{Methods,Resources}.ts", "adapters/receiver/Events.ts"],
      rules: { "max-lines": "off" },
    },
    {
      files: ["test/**/vitest.config.ts", "oxlint.config.ts"],
      rules: { "import/no-default-export": "off" },
    },
    repeatable(
      "core",
      RUNS.map((property) => ({ object: "Effect", property, message: "Apps run effects." })),
    ),
    repeatable("simulator"),
    ...[0, 1, 2].map(core),
    tooDeep("core", 3),
    ...[0, 1, 2, 3].map(adapters),
    tooDeep("adapters", 4),
    // @payport/sdk is published alone: its users install neither effect nor the service.
    {
      files: ["adapters/http/client/*.ts"],
      rules: imports(["**", "!./**", "../**"], "The client sees its own folder."),
    },
    {
      files: ["adapters/http/paid/*.ts", "adapters/http/mpp/*.ts"],
      rules: imports(
        [
          "**",
          "!node:crypto",
          "!./**",
          "../**",
          "!../client/**",
          "!../paid/**",
          "!../mpp/**",
          "!../../shared/addresses/networkKey.ts",
        ],
        "The paywall sees the client and its protocols.",
      ),
    },
    {
      files: ["adapters/receiver/*.ts"],
      rules: imports(
        ["**", "!node:**", "!tweetnacl", "!./**", "../**"],
        "The receiver sees node, tweetnacl and its own folder.",
      ),
    },
    ...[0, 1, 2].map(simulator),
    tooDeep("simulator", 3),
    {
      files: ["apps/**/*.{ts,tsx}"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              { group: ["**/test/**"], message: "What runs for users imports nothing from test." },
            ],
          },
        ],
      },
    },
  ],
}
