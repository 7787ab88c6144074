import { Effect } from "effect"
import { Installation } from "../../../core/ports/Installation.ts"
import { Store } from "../../../core/ports/Store.ts"
import { Failure } from "../../../core/shared/Failure.ts"
import type { discovery } from "../contract/discovery.ts"
import { AUDIENCES } from "../contract/Route.ts"
import { agentCard, apiCatalog, serverCard, x402Discovery } from "../discovery/documents.ts"
import type { GroupHandlers } from "../koa/Handlers.ts"
import type { ServerState } from "../koa/Interface.ts"
import { Published } from "../koa/Published.ts"
import type { Documents } from "../openapi.ts"

/** The most resources of the sandbox that are listed, newest first. */
const MOST_RESOURCES = 100

const noTools = () =>
  new Failure({ code: "NOT_FOUND", message: "No address of this installation speaks MCP." })

const noPart = () =>
  new Failure({
    code: "NOT_FOUND",
    message: `The parts are ${AUDIENCES.map((audience) => `${audience}.json`).join(", ")}.`,
  })

/** Lists what is sold at this address: the sandbox's services with one-time payments. */
const sold = Effect.gen(function* () {
  const store = yield* Store
  const found = yield* store.searchServices({
    payment_method: "one_time",
    status: "active",
    viewer: "",
    limit: MOST_RESOURCES,
    offset: 0,
  })
  return found.data.map(({ id }) => id)
})

/**
 * The documents by which programs discover the installation. `sells` says whether it has the
 * sandbox's paid endpoint.
 */
export const discoveryHandlers = (
  { neighbours }: ServerState,
  documents: () => Documents,
  sells: boolean,
): GroupHandlers<typeof discovery, Store | Installation> => {
  const kept = new Map<string, Published>()
  const publish = (name: string, make: () => object): Published => {
    const published = kept.get(name) ?? new Published(make())
    kept.set(name, published)
    return published
  }
  const placed = Effect.map(Installation, ({ base_url, mode }) => ({ base_url, mode, neighbours }))
  return {
    part: ({ headers, params }) => {
      const audience = AUDIENCES.find((known) => `${known}.json` === params.document)
      return audience === undefined
        ? Effect.fail(noPart())
        : Effect.sync(() =>
            publish(audience, () => documents().partFor(audience)).answer(headers["if-none-match"]),
          )
    },
    agentCard: ({ headers }) =>
      Effect.map(placed, (place) =>
        publish("agent", () => agentCard(place)).answer(headers["if-none-match"]),
      ),
    mcpServerCard: Effect.fnUntraced(function* ({ headers }) {
      const place = yield* placed
      const card = serverCard(place)
      if (card === undefined) return yield* noTools()
      return publish("mcp", () => card).answer(headers["if-none-match"])
    }),
    x402: Effect.fnUntraced(function* ({ headers }) {
      const document = x402Discovery(yield* placed, sells ? yield* sold : [])
      return new Published(document).answer(headers["if-none-match"])
    }),
    apiCatalog: ({ headers }) =>
      Effect.map(placed, (place) =>
        publish("catalog", () => apiCatalog(place)).answer(headers["if-none-match"]),
      ),
  }
}
