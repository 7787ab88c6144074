import { Schema } from "effect"

const text = (description: string) => Schema.String.annotate({ description })
const texts = (description: string) => Schema.Array(Schema.String).annotate({ description })

/** The names of protocols for which A2A has no binding. */
export const MCP = "https://modelcontextprotocol.io"
export const OPENAPI = "https://spec.openapis.org/oas/3.1"

const Skill = Schema.Struct({
  id: text("Names the skill."),
  name: text("The skill's name, as people read it."),
  description: text("What it does."),
  tags: texts("Words to be found by."),
  examples: texts("What somebody could ask for."),
})

/** An agent card of A2A 1.0 with the fields that apply (AgentCard, section 4.4.1). */
export const AgentCard = Schema.Struct({
  name: text("The name of the service."),
  description: text("What it does."),
  supportedInterfaces: Schema.Array(
    Schema.Struct({
      url: text("The address."),
      protocolBinding: text("What is spoken there; none of A2A's own bindings."),
      protocolVersion: text("The version of what is spoken there."),
    }),
  ).annotate({ description: "Where it is reached, best first." }),
  provider: Schema.Struct({
    url: text("The base address of the installation."),
    organization: text("Who runs it, by the host's name."),
  }).annotate({ description: "Who runs it." }),
  version: text("The version of the interface."),
  documentationUrl: Schema.optionalKey(Schema.String).annotate({
    description: "Where people and agents read more.",
  }),
  capabilities: Schema.Struct({
    streaming: Schema.Boolean.annotate({ description: "Whether A2A streams: no." }),
    pushNotifications: Schema.Boolean.annotate({ description: "Whether A2A pushes: no." }),
  }).annotate({ description: "What of A2A is offered." }),
  securitySchemes: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "How callers say who they are.",
  }),
  securityRequirements: Schema.Array(Schema.Unknown).annotate({
    description: "The schemes of which one is needed.",
  }),
  defaultInputModes: texts("The media types of requests."),
  defaultOutputModes: texts("The media types of answers."),
  skills: Schema.Array(Skill).annotate({ description: "What it does for agents." }),
}).annotate({
  identifier: "AgentCard",
  description: "What agents find here (A2A 1.0). No address here speaks A2A itself.",
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
  url: text("The address."),
  headers: Schema.Array(
    Schema.Struct({
      name: text("The header's name."),
      description: text("What it holds."),
      isRequired: Schema.Boolean.annotate({ description: "Whether requests need it." }),
      isSecret: Schema.Boolean.annotate({ description: "Whether it is to be kept secret." }),
    }),
  ).annotate({ description: "The headers that requests have." }),
  supportedProtocolVersions: texts("The revisions of MCP that are spoken there."),
})

/** A server card of MCP (SEP-2127, experimental-ext-server-card, version 2 of its schema). */
export const ServerCard = Schema.Struct({
  $schema: Schema.Literal(SERVER_CARD_SCHEMA).annotate({ description: "The card's own schema." }),
  name: text("The host's name backwards, and the server's."),
  version: text("The version of the server."),
  description: text("What the tools do."),
  title: text("The name, as people read it."),
  websiteUrl: Schema.optionalKey(Schema.String).annotate({ description: "Where to read more." }),
  remotes: Schema.Array(Remote).annotate({ description: "The addresses, best first." }),
}).annotate({
  identifier: "McpServerCard",
  description: "Where the tools of agents are (SEP-2127).",
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
  scheme: text("How it is paid."),
  network: text("Where the money moves."),
})

/** The document that x402scan and `@agentcash/discovery` read at an origin, and its facilitator. */
export const X402Discovery = Schema.Struct({
  version: Schema.Literal(1).annotate({ description: "The version of this form." }),
  x402Version: Schema.Literal(2).annotate({ description: "The version of x402." }),
  resources: texts("What is sold at this address: each answers 402 until it is paid."),
  facilitator: Schema.Struct({
    url: text("The facilitator of sellers: `/supported`, `/verify` and `/settle` are below it."),
    kinds: Schema.Array(Kind).annotate({ description: "What it settles." }),
  }).annotate({ description: "Settles payments for sellers with any x402 server." }),
  instructions: text("How buyers and sellers use it."),
}).annotate({
  identifier: "X402Discovery",
  description: "What is sold at this address by x402, and its facilitator.",
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
  href: text("The address of the document."),
  type: Schema.optionalKey(Schema.String).annotate({ description: "Its media type." }),
  title: Schema.optionalKey(Schema.String).annotate({ description: "What it is." }),
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
      status: links("Whether it can serve requests."),
    }),
  ).annotate({ description: "The links, by what they are about." }),
}).annotate({
  identifier: "ApiCatalog",
  description: "Links to everything that describes the interfaces here (RFC 9727).",
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
