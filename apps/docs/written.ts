import { resolve } from "node:path"
import type { Page, Part } from "./Page.ts"

export const root = resolve(import.meta.dirname, "../..")

/** A page whose text is a repository file. */
export type Written = Omit<Page, "markdown"> & { readonly source: string }

const guide = (part: Part, name: string, title: string, about: string): Written => ({
  part,
  path: name === "index" ? name : `guides/${name}`,
  title,
  about,
  source: `apps/docs/guides/${name}.md`,
})

/** The hand-written pages, here or elsewhere in the repository, in order. */
export const WRITTEN: ReadonlyArray<Written> = [
  guide("Begin", "index", "payport", "What payport is, and where to begin."),
  guide("Begin", "start", "Quick start", "A sandbox, a service, and a first payment by curl."),
  {
    ...guide(
      "Begin",
      "tour",
      "The tour",
      "Every kind of payment by curl, from a service to a refund.",
    ),
    source: "apps/server/guides/tour.md",
  },
  guide(
    "Begin",
    "payments",
    "How a payment goes",
    "Flows, states, channels, and what is told when.",
  ),
  guide("Build", "embed", "Embed in TypeScript", "payport as an object in your own service."),
  guide(
    "Build",
    "client",
    "Call it over HTTP",
    "The typed client: keys, retries, lists, following a payment.",
  ),
  guide(
    "Build",
    "paywall",
    "Put a price on a route",
    "402 and its proof, for sellers and for programs that pay.",
  ),
  guide(
    "Build",
    "webhooks",
    "Receive webhooks",
    "Verifying, deduping, answering, and telling again.",
  ),
  guide("Build", "refunds", "Refund and revoke", "Money back, and the access that goes with it."),
  guide(
    "Build",
    "reliability",
    "Retry safely",
    "Idempotency keys, unknown outcomes, and what to repeat.",
  ),
  guide(
    "Agents",
    "agents",
    "Let an agent buy",
    "Tools, budgets, mandates, and what an agent does with a refusal.",
  ),
  {
    ...guide(
      "Agents",
      "mcp",
      "Connect a client of MCP",
      "Set-ups for Claude, Codex, VS Code, Cursor and others.",
    ),
    source: "apps/server/guides/agents.md",
  },
  guide(
    "Test",
    "testing",
    "Test your integration",
    "Playing wallets, faults and time in a sandbox.",
  ),
  {
    ...guide(
      "Test",
      "simulator",
      "The simulator",
      "Worlds of payers, channels and faults, from a seed.",
    ),
    source: "simulator/README.md",
  },
  {
    part: "Run",
    path: "run/server",
    title: "The server",
    about: "Starting, stopping, splitting into processes, and the channels of live mode.",
    source: "apps/server/README.md",
  },
  {
    part: "Run",
    path: "run/settings",
    title: "Settings",
    about: "Every environment variable of the service.",
    source: "apps/server/guides/settings.md",
  },
  {
    part: "Run",
    path: "run/operators",
    title: "Operating",
    about: "Operators, traces, roles of the database, keys, alarms and what to do about each.",
    source: "apps/server/OPERATORS.md",
  },
  {
    part: "API",
    path: "api/interface",
    title: "The interface",
    about: "What all operations have in common, and what examples stand for.",
    source: "apps/docs/guides/api.md",
  },
  {
    part: "Reference",
    path: "glossary",
    title: "Glossary",
    about: "The words of the protocol and of the code, a sentence each.",
    source: "core/GLOSSARY.md",
  },
  {
    part: "Reference",
    path: "changelog",
    title: "Changelog",
    about: "What changed, version by version.",
    source: "CHANGELOG.md",
  },
]
