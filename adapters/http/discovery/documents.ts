import { VERSION } from "../../../core/shared/Version.ts"
import type { Neighbours } from "../../shared/Neighbours.ts"
import { AUDIENCES } from "../contract/Route.ts"
import { supported } from "../../shared/x402/Answers.ts"
import {
  type AgentCard,
  type ApiCatalog,
  MCP,
  OPENAPI,
  SERVER_CARD_SCHEMA,
  type ServerCard,
  type X402Discovery,
} from "./Wire.ts"

/** The installation that the documents describe. */
export interface Place {
  readonly base_url: string
  readonly mode: "sandbox" | "live"
  readonly neighbours: Neighbours
}

const ABOUT =
  "Payments between agents that buy and sell for people: by QR code, link or mandate, with " +
  "refunds, subscriptions and budgets. A person approves what no mandate covers."

/** The version of the interface, which begins its paths. */
const INTERFACE_VERSION = "1"

const hostOf = (base_url: string): string => URL.parse(base_url)?.hostname ?? "localhost"

/** Returns `com.example.pay` for `pay.example.com`. An IPv6 address has no such name. */
const backwards = (host: string): string =>
  /^[a-z0-9.-]+$/i.test(host) ? host.split(".").toReversed().join(".") : "localhost"

const SKILLS: AgentCard["skills"] = [
  {
    id: "find_services",
    name: "Find services",
    description: "Finds what sellers offer, with prices and channels.",
    tags: ["search", "registry"],
    examples: ["Find a weather forecast that costs less than a dollar."],
  },
  {
    id: "pay",
    name: "Pay for a service",
    description: "Pays at once within what a person has allowed; else gives a link to approve.",
    tags: ["payment", "checkout", "x402"],
    examples: ["Pay 6.99 USD for a weather report of seven days."],
  },
  {
    id: "subscribe",
    name: "Subscribe",
    description: "Subscribes to a plan, shows its invoices and ends it.",
    tags: ["subscription", "invoice"],
    examples: ["Subscribe to the monthly plan of Weather club."],
  },
  {
    id: "request_refund",
    name: "Ask money back",
    description: "Asks the payee for a refund, and tells what was decided.",
    tags: ["refund"],
    examples: ["The report was never delivered: ask for the money back."],
  },
]

const bearer = ({ base_url, neighbours }: Place) => ({
  key: {
    httpAuthSecurityScheme: {
      scheme: "Bearer",
      description: neighbours.oauth
        ? "A key of the buyer's account, or a token by OAuth: see " +
          `${base_url}/.well-known/oauth-authorization-server`
        : "A key of the buyer's account.",
    },
  },
})

/** Returns the agent card: the addresses of MCP, and of HTTP with its OpenAPI document. */
export const agentCard = (place: Place): AgentCard => {
  const { base_url, neighbours } = place
  return {
    name: "payport",
    description: ABOUT,
    supportedInterfaces: [
      ...neighbours.mcp.map(({ path, versions }) => ({
        url: `${base_url}${path}`,
        protocolBinding: MCP,
        protocolVersion: versions[0] ?? "",
      })),
      { url: `${base_url}/v1`, protocolBinding: OPENAPI, protocolVersion: INTERFACE_VERSION },
    ],
    provider: { url: base_url, organization: hostOf(base_url) },
    version: INTERFACE_VERSION,
    documentationUrl: neighbours.docs ? `${base_url}/docs/` : `${base_url}/openapi/buyer.json`,
    capabilities: { streaming: false, pushNotifications: false },
    securitySchemes: bearer(place),
    securityRequirements: [{ schemes: { key: { list: [] } } }],
    defaultInputModes: ["application/json"],
    defaultOutputModes: ["application/json"],
    skills: SKILLS,
  }
}

/** Returns the card with the addresses of MCP; undefined if there are none. */
export const serverCard = ({ base_url, neighbours }: Place): ServerCard | undefined => {
  const [first] = neighbours.mcp
  if (first === undefined) return undefined
  return {
    $schema: SERVER_CARD_SCHEMA,
    name: `${backwards(hostOf(base_url))}/payport`,
    version: VERSION,
    description: first.description,
    title: first.title,
    ...(neighbours.docs && { websiteUrl: `${base_url}/docs/` }),
    remotes: neighbours.mcp.map(({ path, versions }) => ({
      type: "streamable-http",
      url: `${base_url}${path}`,
      headers: [
        {
          name: "Authorization",
          description: "Bearer and a key of the buyer's account. Listing the tools needs none.",
          isRequired: false,
          isSecret: true,
        },
      ],
      supportedProtocolVersions: versions,
    })),
  }
}

const INSTRUCTIONS =
  "Sellers: make `facilitator.url` the facilitator of your x402 server, with your API key as " +
  "Bearer. Buyers: POST /v1/x402/payments begins the payment of a resource, and gives a link to " +
  "approve it and the token that the x402 payload proves it by."

/** Returns what is sold at this address (in a sandbox only) and the facilitator. */
export const x402Discovery = (
  { base_url, mode }: Place,
  services: ReadonlyArray<string>,
): X402Discovery => ({
  version: 1,
  x402Version: 2,
  resources: services.map((id) => `${base_url}/v1/sandbox/paid/${id}`),
  facilitator: { url: `${base_url}/v1/x402`, kinds: supported(`payport:${mode}`).kinds },
  instructions: INSTRUCTIONS,
})

const JSON_TYPE = "application/json"

/** Returns links to every description of the interface. */
export const apiCatalog = ({ base_url, neighbours }: Place): ApiCatalog => {
  const at = (path: string, type: string, title: string) => ({
    href: `${base_url}${path}`,
    type,
    title,
  })
  const addresses = [`${base_url}/v1`, ...neighbours.mcp.map(({ path }) => `${base_url}${path}`)]
  return {
    linkset: [
      {
        anchor: `${base_url}/.well-known/api-catalog`,
        item: addresses.map((href) => ({ href })),
      },
      {
        anchor: `${base_url}/v1`,
        "service-desc": [
          at("/openapi.json", JSON_TYPE, "All of it, OpenAPI 3.1"),
          ...AUDIENCES.map((audience) =>
            at(`/openapi/${audience}.json`, JSON_TYPE, `The part of a ${audience}, OpenAPI 3.1`),
          ),
        ],
        ...(neighbours.docs && {
          "service-doc": [
            at("/docs/", "text/html", "Documentation for people"),
            at("/llms.txt", "text/plain", "Documentation for agents"),
          ],
        }),
        "service-meta": [
          at("/.well-known/agent-card.json", JSON_TYPE, "What agents find here"),
          at("/.well-known/x402", JSON_TYPE, "x402: what is sold here, and the facilitator"),
        ],
      },
      ...neighbours.mcp.map(({ description, path }) => ({
        anchor: `${base_url}${path}`,
        "service-meta": [at("/.well-known/mcp/server-card.json", JSON_TYPE, description)],
      })),
    ],
  }
}
