import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from "@modelcontextprotocol/client"
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { onTestFinished } from "vitest"
import type { App } from "../../support/app.ts"

/** A tool as a client shows it. */
export interface ShownTool {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
}

/** The result of a call. */
export interface Called {
  readonly isError: boolean
  readonly structured: { readonly [name: string]: unknown } | undefined
  /** The result's `_meta`. */
  readonly meta: { readonly [name: string]: unknown }
  readonly text: string
}

/** The functions of a client that these tests use, for both kinds of client. */
export interface Agent {
  readonly instructions: () => string | undefined
  readonly page: (cursor?: string) => Promise<{
    readonly tools: ReadonlyArray<ShownTool>
    readonly nextCursor: string | undefined
  }>
  readonly call: (
    name: string,
    args: { readonly [name: string]: unknown },
    signal?: AbortSignal,
    meta?: { readonly [name: string]: unknown },
  ) => Promise<Called>
  /** The number of notified changes of the list. */
  readonly changes: () => number
  readonly revision: () => string | undefined
  readonly close: () => Promise<void>
}

const WHO = { name: "test", version: "1.0.0" }

type Answer = { readonly [key: string]: unknown }

const calledOf = ({ _meta, content, isError, structuredContent }: Answer): Called => ({
  isError: isError === true,
  structured: structuredContent as Called["structured"],
  meta: (_meta ?? {}) as Called["meta"],
  text: (content as ReadonlyArray<{ readonly text: string }>)[0]?.text ?? "",
})

const headersOf = (key: string | null): { readonly [name: string]: string } =>
  key === null ? {} : { Authorization: `Bearer ${key}` }

const oldAgent = async (url: string, key: string | null): Promise<Agent> => {
  let changes = 0
  const tools = { autoRefresh: false, debounceMs: 0, onChanged: () => void changes++ }
  const client = new OldClient(WHO, { listChanged: { tools } })
  const requestInit = { headers: headersOf(key) }
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit })
  await client.connect(transport)
  return {
    page: async (cursor) => {
      const { nextCursor, tools: shown } = await client.listTools(
        cursor === undefined ? {} : { cursor },
      )
      return { tools: shown, nextCursor }
    },
    call: async (name, args, signal, meta) => {
      const options = signal && { signal }
      const params = { name, arguments: args, ...(meta && { _meta: meta }) }
      return calledOf(await client.callTool(params, undefined, options))
    },
    instructions: () => client.getInstructions(),
    changes: () => changes,
    revision: () => transport.protocolVersion,
    close: () => client.close(),
  }
}

const newAgent =
  (mode: "legacy" | { readonly pin: string }) =>
  async (url: string, key: string | null): Promise<Agent> => {
    let changes = 0
    const tools = { autoRefresh: false, debounceMs: 0, onChanged: () => void changes++ }
    const client = new NewClient(WHO, {
      listChanged: { tools },
      versionNegotiation: { mode },
    })
    const requestInit = { headers: headersOf(key) }
    await client.connect(new NewTransport(new URL(url), { requestInit }))
    return {
      page: async (cursor) => {
        const { nextCursor, tools: shown } = await client.request({
          method: "tools/list",
          params: cursor === undefined ? {} : { cursor },
        })
        return { tools: shown, nextCursor }
      },
      call: async (name, args, signal, meta) => {
        const options = signal && { signal }
        const params = { name, arguments: args, ...(meta && { _meta: meta }) }
        return calledOf(await client.callTool(params, options))
      },
      instructions: () => client.getInstructions(),
      changes: () => changes,
      revision: () => client.getNegotiatedProtocolVersion(),
      close: () => client.close(),
    }
  }

/** The official clients: the line before, and the present one in both revisions. */
export const CLIENTS = [
  { client: "1.x", revision: "2025-11-25", connect: oldAgent },
  { client: "2.x", revision: "2025-11-25", connect: newAgent("legacy") },
  { client: "2.x", revision: "2026-07-28", connect: newAgent({ pin: "2026-07-28" }) },
] as const

/** Connects a client until the test ends, to the tools of all services unless a path is said. */
export const connected = async (
  connect: (typeof CLIENTS)[number]["connect"],
  app: App,
  key: string | null = app.buyer.api_key.key,
  path = "/mcp",
): Promise<Agent> => {
  const agent = await connect(`${app.url}${path}`, key)
  onTestFinished(() => agent.close())
  return agent
}
