import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Cards from "../discovery/Wire.ts"
import { ANY, refusals } from "./Errors.ts"
import { AUDIENCES, Audiences, ContentType } from "./Route.ts"

/** The media type of links between documents (RFC 9264), as a catalog of interfaces. */
const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

/** The tag by which a reader revalidates its copy. */
export const IfNoneMatch = {
  "if-none-match": Schema.optionalKey(Schema.String).annotate({
    description: "The `ETag` of the reader's copy. The answer is 304 if the copy is current.",
  }),
}

const PART = AUDIENCES.map((audience) => `${audience}.json` as const)

/** The answer if the copy is current. */
export const Unchanged = HttpApiSchema.Empty(304).annotate({
  description: "The reader's copy is current.",
})

const error = refusals(ANY, ["RATE_LIMIT_EXCEEDED"])

/** The documents by which programs that know only the address discover the installation. */
export const discovery = HttpApiGroup.make("discovery")
  .add(
    HttpApiEndpoint.get("part", "/openapi/:document", {
      disableCodecs: true,
      params: {
        document: Schema.Literals(PART).annotate({ description: "The audience of the document." }),
      },
      headers: IfNoneMatch,
      success: [Schema.Record(Schema.String, Schema.Unknown), Unchanged],
      error: refusals(ANY, ["RATE_LIMIT_EXCEEDED", "NOT_FOUND"]),
    })
      .annotate(OpenApi.Summary, "The part of this interface for one audience, OpenAPI 3.1")
      .annotate(
        OpenApi.Description,
        "For agents, and for generators of small clients: the buyer's part has fewer than " +
          "25,000 tokens. The whole document, with examples, is `/openapi.json`.",
      ),
    HttpApiEndpoint.get("agentCard", "/.well-known/agent-card.json", {
      disableCodecs: true,
      headers: IfNoneMatch,
      success: [Cards.AgentCard, Unchanged],
      error,
    })
      .annotate(OpenApi.Summary, "The services for agents, as an A2A agent card")
      .annotate(
        OpenApi.Description,
        "For agents that look for other agents by A2A. No endpoint here speaks A2A itself: " +
          "the card names MCP and HTTP. Clients of MCP read " +
          "`/.well-known/mcp/server-card.json`.",
      ),
    HttpApiEndpoint.get("mcpServerCard", "/.well-known/mcp/server-card.json", {
      disableCodecs: true,
      headers: IfNoneMatch,
      success: [Cards.ServerCard, Unchanged],
      error: refusals(ANY, ["RATE_LIMIT_EXCEEDED", "NOT_FOUND"]),
    })
      .annotate(OpenApi.Summary, "The address of the agents' tools, as an MCP server card")
      .annotate(
        OpenApi.Description,
        "For clients of MCP, before they connect. `tools/list` lists the tools.",
      ),
    HttpApiEndpoint.get("x402", "/.well-known/x402", {
      disableCodecs: true,
      headers: IfNoneMatch,
      success: [Cards.X402Discovery, Unchanged],
      error,
    })
      .annotate(OpenApi.Summary, "Resources sold by x402, and the facilitator")
      .annotate(
        OpenApi.Description,
        "For crawlers of x402 and for buyers' clients. `/v1/x402/supported` lists what the " +
          "facilitator settles. `GET /v1/services` finds services of the registry.",
      ),
    HttpApiEndpoint.get("apiCatalog", "/.well-known/api-catalog", {
      disableCodecs: true,
      headers: IfNoneMatch,
      success: [Cards.ApiCatalog.pipe(HttpApiSchema.asJson({ contentType: LINKSET })), Unchanged],
      error,
    })
      .annotate(ContentType, LINKSET)
      .annotate(OpenApi.Summary, "Links to everything that describes this interface (RFC 9727)")
      .annotate(
        OpenApi.Description,
        "The starting point for a program that knows only the address. `/` names it in `Link`.",
      ),
  )
  .annotate(Audiences, ["operator"])
  .annotate(OpenApi.Title, "Discovery")
  .annotate(OpenApi.Description, "Documents that tell programs what this installation offers.")
