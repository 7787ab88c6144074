/** A file that breaks one rule on purpose, or none (`caught` empty), in a copy of the tree. */
export interface Sample {
  readonly file: string
  readonly text: string
  /** Lint rules and compiler codes that have to report it; nothing else may. */
  readonly caught: ReadonlyArray<string>
}

const imports = "eslint(no-restricted-imports)"
const globals = "eslint(no-restricted-globals)"
const properties = "eslint(no-restricted-properties)"

const importing = (file: string, specifier: string, ...caught: Array<string>): Sample => ({
  file: file.replace("*", `case${caught.length > 0 ? "Bad" : "Good"}`),
  text: `export { it } from ${JSON.stringify(specifier)}\n`,
  caught,
})

const using = (folder: string, expression: string, rule: string): Sample => ({
  file: `${folder}/uses${expression.replaceAll(/\W/g, "_")}.ts`,
  text: `export const taken = ${expression}\n`,
  caught: [rule],
})

/** Numbers the files of a group, so that each import has a separate file. */
const numbered = (samples: ReadonlyArray<Sample>): ReadonlyArray<Sample> =>
  samples.map((sample, n) => ({ ...sample, file: sample.file.replace(/\.tsx?$/, `${n}$&`) }))

const importSamples = numbered([
  importing("core/payments/*.ts", "effect"),
  importing("core/payments/*.ts", "effect/Schema"),
  importing("core/payments/*.ts", "./Intent.ts"),
  importing("core/payments/*.ts", "../shared/Money.ts"),
  importing("core/payments/machine/*.ts", "../../shared/Money.ts"),
  importing("core/payments/*.ts", "node:fs", imports),
  importing("core/payments/*.ts", "fs", imports),
  importing("core/payments/*.ts", "koa", imports),
  importing("core/payments/*.ts", "effect/sql", imports),
  importing("core/payments/*.ts", "effect/http", imports),
  importing("core/payments/*.ts", "@payport/sdk/client", imports),
  importing("core/payments/*.ts", "../../adapters/memory/Store.ts", imports),
  importing("core/payments/*.ts", "../../apps/server/main.ts", imports),
  importing("core/payments/machine/*.ts", "../../../adapters/memory/Store.ts", imports),
  importing("core/payments/*.ts", "../shared/../../adapters/memory/Store.ts", imports),
  importing("core/*.ts", "../adapters/memory/Store.ts", imports),
  importing("core/a/b/c/*.ts", "./Money.ts", imports),

  importing("adapters/postgres/*.ts", "effect"),
  importing("adapters/postgres/*.ts", "node:fs"),
  importing("adapters/postgres/*.ts", "@effect/sql-pg"),
  importing("adapters/postgres/*.ts", "./rows.ts"),
  importing("adapters/postgres/*.ts", "../../core/shared/Money.ts"),
  importing("adapters/postgres/embedded/*.ts", "../rows.ts"),
  importing("adapters/postgres/embedded/*.ts", "../../../core/shared/Money.ts"),
  importing("adapters/mcp/*.ts", "../http/contract/Api.ts"),
  importing("adapters/pages/*.tsx", "./shared/Layout.tsx"),
  importing("adapters/pages/home/*.tsx", "../shared/Layout.tsx"),
  importing("adapters/pages/home/*.tsx", "../../qr/writer.ts", imports),
  importing("adapters/mcp/*.ts", "../shared/parseJson.ts"),
  importing("adapters/http/koa/*.ts", "../../shared/parseJson.ts"),
  importing("adapters/http/koa/parts/*.ts", "../../../shared/parseJson.ts"),
  importing("adapters/http/koa/*.ts", "../contract/Api.ts"),
  importing("adapters/http/koa/parts/*.ts", "../../contract/Api.ts"),
  importing("adapters/http/client/*.ts", "./Listing.ts"),
  importing("adapters/http/client/*.ts", "effect", imports),
  importing("adapters/http/client/*.ts", "../contract/Api.ts", imports),
  importing("adapters/http/paid/*.ts", "../client/client.ts"),
  importing("adapters/http/paid/*.ts", "effect", imports),
  importing("adapters/http/paid/*.ts", "../../shared/addresses/networkKey.ts"),
  importing("adapters/http/paid/*.ts", "../../shared/addresses/ClientAddress.ts", imports),
  importing("adapters/receiver/*.ts", "node:crypto"),
  importing("adapters/receiver/*.ts", "tweetnacl"),
  importing("adapters/receiver/*.ts", "./headers.ts"),
  importing("adapters/receiver/*.ts", "effect", imports),
  importing("adapters/receiver/*.ts", "../shared/parseJson.ts", imports),
  importing("adapters/receiver/*.ts", "../../core/shared/Money.ts", imports),
  importing("adapters/postgres/*.ts", "../memory/Store.ts", imports),
  importing("adapters/channels/*.ts", "../webhooks/Sender.ts", imports),
  importing("adapters/mcp/*.ts", "../http/koa/Server.ts", imports),
  importing("adapters/mcp/*.ts", "../http/contract/../koa/Server.ts", imports),
  importing("adapters/mcp/*.ts", "../shared/../http/koa/Server.ts", imports),
  importing("adapters/mcp/*.ts", "./../http/koa/Server.ts", imports),
  importing("adapters/postgres/embedded/*.ts", "../../memory/Store.ts", imports),
  importing("adapters/postgres/embedded/a/*.ts", "../../../memory/Store.ts", imports),
  importing("adapters/postgres/*.ts", "../../simulator/World.ts", imports),
  importing("adapters/postgres/*.ts", "../../apps/server/main.ts", imports),
  importing("adapters/postgres/*.ts", "../../test/support/database.ts", imports),
  importing("adapters/postgres/*.ts", "payport", imports),
  importing("adapters/*.ts", "./memory/Store.ts", imports),
  importing("adapters/a/b/c/d/*.ts", "./rows.ts", imports),

  importing("simulator/*.ts", "effect"),
  importing("simulator/*.ts", "./World.ts"),
  importing("simulator/*.ts", "../core/shared/Money.ts"),
  importing("simulator/*.ts", "../adapters/memory/Store.ts"),
  importing("simulator/payers/*.ts", "../World.ts"),
  importing("simulator/payers/*.ts", "../../core/shared/Money.ts"),
  importing("simulator/payers/*.ts", "../../adapters/http/client.ts"),
  importing("simulator/payers/*.ts", "../../adapters/http/client/Client.ts"),
  importing("simulator/payers/*.ts", "../../adapters/http/contract/Api.ts"),
  importing("simulator/payers/habits/*.ts", "../../World.ts"),
  importing("simulator/payers/habits/*.ts", "../../../core/shared/Money.ts"),
  importing("simulator/payers/habits/*.ts", "../../../adapters/postgres/Store.ts", imports),
  importing("simulator/a/b/c/*.ts", "./World.ts", imports),
  importing("simulator/*.ts", "node:fs", imports),
  importing("simulator/*.ts", "undici", imports),
  importing("simulator/*.ts", "../adapters/postgres/Store.ts", imports),
  importing("simulator/payers/*.ts", "../../adapters/http/koa/Server.ts", imports),
  importing("simulator/payers/*.ts", "../../apps/server/main.ts", imports),
  importing("simulator/payers/*.ts", "../../test/support/database.ts", imports),

  importing("apps/server/*.ts", "../../adapters/postgres/Store.ts"),
  importing("apps/server/*.ts", "../../simulator/World.ts"),
  importing("apps/server/*.ts", "../../test/support/database.ts", imports),
  importing("test/http/*.ts", "../../apps/server/main.ts"),
])

const otherImports: ReadonlyArray<Sample> = [
  {
    file: "core/payments/dynamic.ts",
    text: `export const load = () => import("../../adapters/memory/Store.ts")\n`,
    caught: [imports],
  },
  {
    file: "core/payments/typeOnly.ts",
    text: `export type { Row } from "../../adapters/memory/Store.ts"\n`,
    caught: [imports],
  },
  {
    file: "adapters/postgres/typeAnnotation.ts",
    text: `export type Row = import("../memory/Store.ts").Row\n`,
    caught: ["typescript(consistent-type-imports)"],
  },
  {
    file: "core/payments/files.ts",
    text: `export { FileSystem } from "effect"\n`,
    caught: [imports],
  },
  {
    file: "simulator/hash.ts",
    text: `export { createHmac } from "node:crypto"\n`,
    caught: [],
  },
  {
    file: "simulator/bytes.ts",
    text: `export { randomBytes } from "node:crypto"\n`,
    caught: [imports],
  },
  {
    file: "core/payments/nodeTypes.ts",
    text: `/// <reference types="node" />\nexport const one = 1\n`,
    caught: ["typescript(triple-slash-reference)"],
  },
]

const worldly = ["Date.now()", "new Date(0)", "globalThis.Date", "fetch", "setTimeout"].concat([
  "setInterval",
  "process.pid",
  "Buffer.from([])",
  "crypto.randomUUID()",
  "performance.now()",
])

const worldSamples = ["core/payments", "simulator/payers"].flatMap((folder) => [
  ...worldly.map((expression) => using(folder, expression, globals)),
  using(folder, "Math.random()", properties),
  using(folder, "DateTime.nowUnsafe()", properties),
])

const appsOnly = [
  using("core/payments", "Effect.runSync(one)", properties),
  using("core/payments", "Effect.runPromise(one)", properties),
  using("adapters/postgres", "process.env", "node(no-process-env)"),
  using("adapters/postgres", "console.log", "eslint(no-console)"),
]

const sizeSamples: ReadonlyArray<Sample> = [
  {
    file: "core/payments/long.ts",
    text: Array.from({ length: 301 }, (_, n) => `export const line${n} = ${n}\n`).join(""),
    caught: ["eslint(max-lines)"],
  },
  {
    file: "adapters/postgres/longFunction.ts",
    text: `export const long = (sum: number[]) => {\n${"  sum.push(1)\n".repeat(70)}}\n`,
    caught: ["eslint(max-lines-per-function)"],
  },
  {
    file: "adapters/postgres/fits.ts",
    text: `export const fits = (sum: number[]) => {\n${"  sum.push(1)\n".repeat(60)}}\n`,
    caught: [],
  },
  {
    file: "apps/server/any.ts",
    text: `export const loose = (value: any) => value.anything\n`,
    caught: ["typescript(no-explicit-any)"],
  },
  { file: "core/ring/a.ts", text: `export { b } from "./b.ts"\n`, caught: ["import(no-cycle)"] },
  { file: "core/ring/b.ts", text: `export { b } from "./a.ts"\n`, caught: ["import(no-cycle)"] },
  { file: "apps/server/clock.ts", text: `export const now = () => Date.now()\n`, caught: [] },
]

/** The samples that oxlint has to report. */
export const lintSamples: ReadonlyArray<Sample> = [
  ...importSamples,
  ...otherImports,
  ...worldSamples,
  ...appsOnly,
  ...sizeSamples,
]

const outward = ["TS6059", "TS6307"]

/**
 * The samples that only the compiler reports: the core and the layers must not compile against
 * anything outside.
 */
export const typeSamples: ReadonlyArray<Sample> = [
  {
    file: "core/payments/pure.ts",
    text: `import { Effect } from "effect"\nexport const one = Effect.succeed(1)\n`,
    caught: [],
  },
  { file: "core/payments/process.ts", text: "export const a = process.pid\n", caught: ["TS2591"] },
  { file: "core/payments/buffer.ts", text: "export type Bytes = Buffer\n", caught: ["TS2591"] },
  { file: "core/payments/builtin.ts", text: `import "node:fs"\n`, caught: ["TS2882"] },
  { file: "core/payments/dom.ts", text: "export const page = document\n", caught: ["TS2584"] },
  {
    file: "core/payments/outward.ts",
    text: `export { none } from "../../adapters/memory/none.ts"\n`,
    caught: outward,
  },
  { file: "adapters/memory/none.ts", text: "export const none = []\n", caught: [] },
  {
    file: "adapters/postgres/rows.ts",
    text: `export { one } from "../../core/payments/pure.ts"\nexport const rows = process.pid\n`,
    caught: [],
  },
  {
    file: "adapters/postgres/outward.ts",
    text: `export { main } from "../../apps/server/main.ts"\n`,
    caught: outward,
  },
  {
    file: "simulator/outward.ts",
    text: `export { main } from "../apps/server/main.ts"\n`,
    caught: outward,
  },
  {
    file: "simulator/inward.ts",
    text: `export { rows } from "../adapters/postgres/rows.ts"\n`,
    caught: [],
  },
  { file: "apps/server/main.ts", text: "export const main = process.argv\n", caught: [] },
]
