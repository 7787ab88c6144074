import { Schema } from "effect"

const text = (description: string) => Schema.String.annotate({ description })
const texts = (description: string) => Schema.Array(Schema.String).annotate({ description })

/** The names of protocols for which A2A has no binding. */
export const MCP = "https://modelcontextprotocol.io"
export const OPENAPI = "https://spec.openapis.org/oas/3.1"

const Skill = Schema.Struct({
  id: text("The skill's id."),
  name: text("The skill's name for people."),
  description: text("What the skill does."),
  tags: texts("Keywords for finding the skill."),
  examples: texts("Example requests."),
})

/** An agent card of A2A 1.0 with the fields that apply (AgentCard, section 4.4.1). */
export const AgentCard = Schema.Struct({
  name: text("The name of the service."),
  description: text("What the service does."),
  supportedInterfaces: Schema.Array(
    Schema.Struct({
      url: text("The interface's URL."),
      protocolBinding: text("The interface's protocol, which is none of A2A's own bindings."),
      protocolVersion: text("The version of that protocol."),
    }),
  ).annotate({ description: "The interfaces of the service, best first." }),
  provider: Schema.Struct({
    url: text("The base URL of the installation."),
    organization: text("The host name of the installation."),
  }).annotate({ description: "The operator of the service." }),
  version: text("The version of the API."),
  documentationUrl: Schema.optionalKey(Schema.String).annotate({
    description: "The URL of the documentation for people and agents.",
  }),
  capabilities: Schema.Struct({
    streaming: Schema.Boolean.annotate({ description: "Whether A2A streaming works: false." }),
    pushNotifications: Schema.Boolean.annotate({
      description: "Whether A2A push notifications work: false.",
    }),
  }).annotate({ description: "The optional features of A2A." }),
  securitySchemes: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "The ways in which callers authenticate.",
  }),
  securityRequirements: Schema.Array(Schema.Unknown).annotate({
    description: "The schemes that callers can choose from.",
  }),
  defaultInputModes: texts("The media types of requests."),
  defaultOutputModes: texts("The media types of responses."),
  skills: Schema.Array(Skill).annotate({ description: "What the service does for agents." }),
}).annotate({
  identifier: "AgentCard",
  description: "Describes the service to agents (A2A 1.0). The service has no A2A endpoint.",
  examples: [
    {
      name: "payport",
      description: "Payments between agents that buy and sell for people.",
      supportedInterfaces: [
        { url: "http://127.0.0.1:4020/mcp", protocolBinding: MCP, protocolVersion: "2026-07-28" },
      ],
      provider: { url: "http://127.0.0.1:4020", organization: "127.0.0.1" },
      version: "1",
      capabilities: { streaming: false, pushNotifications: false },
      securitySchemes: {},
      securityRequirements: [],
      defaultInputModes: ["application/json"],
      defaultOutputModes: ["application/json"],
      skills: [],
    },
  ],
})
export type AgentCard = typeof AgentCard.Type

/** The schema that server cards refer to. */
export const SERVER_CARD_SCHEMA =
  "https://static.modelcontextprotocol.io/schemas/v2/server-card.schema.json"

const Remote = Schema.Struct({
  type: Schema.Literal("streamable-http").annotate({ description: "The transport." }),
  url: text("The server's URL."),
  headers: Schema.Array(
    Schema.Struct({
      name: text("The header's name."),
      description: text("The header's value."),
      isRequired: Schema.Boolean.annotate({ description: "Whether every request needs it." }),
      isSecret: Schema.Boolean.annotate({ description: "Whether the value is a secret." }),
    }),
  ).annotate({ description: "The headers of requests." }),
  supportedProtocolVersions: texts("The revisions of MCP that the server supports."),
})

/** A server card of MCP (SEP-2127, experimental-ext-server-card, version 2 of its schema). */
export const ServerCard = Schema.Struct({
  $schema: Schema.Literal(SERVER_CARD_SCHEMA).annotate({ description: "The card's schema." }),
  name: text("The host name in reverse, a slash, and the server's name."),
  version: text("The version of the server."),
  description: text("What the server's tools do."),
  title: text("The server's name for people."),
  websiteUrl: Schema.optionalKey(Schema.String).annotate({
    description: "The URL of the documentation.",
  }),
  remotes: Schema.Array(Remote).annotate({ description: "The server's URLs, best first." }),
}).annotate({
  identifier: "McpServerCard",
  description: "Says where agents find the MCP tools (SEP-2127).",
  examples: [
    {
      $schema: SERVER_CARD_SCHEMA,
      name: "com.example.pay/payport",
      version: "0.1.0",
      description: "Payments between agents that buy and sell for people.",
      title: "payport",
      remotes: [
        {
          type: "streamable-http",
          url: "https://pay.example.com/mcp",
          headers: [],
          supportedProtocolVersions: ["2026-07-28"],
        },
      ],
    },
  ],
})
export type ServerCard = typeof ServerCard.Type

const Kind = Schema.Struct({
  x402Version: Schema.Int.annotate({ description: "The version of x402." }),
  scheme: text("The payment scheme of x402."),
  network: text("The network that moves the money."),
})

/** The document that x402scan and `@agentcash/discovery` read at an origin, and its facilitator. */
export const X402Discovery = Schema.Struct({
  version: Schema.Literal(1).annotate({ description: "The version of this document's format." }),
  x402Version: Schema.Literal(2).annotate({ description: "The version of x402." }),
  resources: texts("The paid resources at this host. Each answers 402 until it is paid."),
  facilitator: Schema.Struct({
    url: text("The facilitator's base URL, with `/supported`, `/verify` and `/settle`."),
    kinds: Schema.Array(Kind).annotate({ description: "The payments that it settles." }),
  }).annotate({ description: "Settles payments for sellers with any x402 server." }),
  instructions: text("Instructions for buyers and sellers."),
}).annotate({
  identifier: "X402Discovery",
  description: "The resources that are sold by x402 at this host, and the facilitator.",
  examples: [
    {
      version: 1,
      x402Version: 2,
      resources: ["http://127.0.0.1:4020/v1/sandbox/paid/01997d3e-8a00-7000-8000-000000000010"],
      facilitator: {
        url: "http://127.0.0.1:4020/v1/x402",
        kinds: [{ x402Version: 2, scheme: "exact", network: "payport:sandbox" }],
      },
      instructions: "Begin a payment with POST /v1/x402/payments.",
    },
  ],
})
export type X402Discovery = typeof X402Discovery.Type

const Link = Schema.Struct({
  href: text("The document's URL."),
  type: Schema.optionalKey(Schema.String).annotate({ description: "The document's media type." }),
  title: Schema.optionalKey(Schema.String).annotate({ description: "The document's title." }),
})
const links = (description: string) =>
  Schema.optionalKey(Schema.Array(Link)).annotate({ description })

/** A catalog of interfaces (RFC 9727), as links between documents (RFC 9264). */
export const ApiCatalog = Schema.Struct({
  linkset: Schema.Array(
    Schema.Struct({
      anchor: text("The interface that the links are about."),
      item: links("The interfaces of a catalog."),
      "service-desc": links("Descriptions for programs."),
      "service-doc": links("Documentation for people and agents."),
      "service-meta": links("Metadata of other protocols."),
      status: links("Where to check whether the service can serve requests."),
    }),
  ).annotate({ description: "The links, grouped by the interface that they are about." }),
}).annotate({
  identifier: "ApiCatalog",
  description: "Links to the descriptions of this service's interfaces (RFC 9727).",
  examples: [
    {
      linkset: [
        {
          anchor: "http://127.0.0.1:4020/v1",
          "service-desc": [
            { href: "http://127.0.0.1:4020/openapi.json", type: "application/json" },
          ],
        },
      ],
    },
  ],
})
export type ApiCatalog = typeof ApiCatalog.Type
