import { Redacted, Schema } from "effect"
import type { ModelProtocol, ModelSettings } from "./ModelSettings.ts"

/** A request to a model: its instructions, the user's text, and the JSON schema of its answer. */
export interface ModelRequest {
  readonly system: string
  readonly user: string
  readonly schema: object
}

/** How a protocol encodes a request, and where its answer has the JSON text. */
interface Protocol {
  readonly path: string
  readonly headers: (key: string) => { readonly [name: string]: string }
  readonly body: (model: string, request: ModelRequest) => object
  readonly text: (answer: unknown) => string | undefined
}

const NAME = "understanding"

const Completion = Schema.Struct({
  choices: Schema.NonEmptyArray(
    Schema.Struct({ message: Schema.Struct({ content: Schema.String }) }),
  ),
})

const Message = Schema.Struct({
  content: Schema.Array(
    Schema.Struct({ type: Schema.String, input: Schema.optionalKey(Schema.Unknown) }),
  ),
})

const decodeCompletion = Schema.decodeUnknownOption(Completion)
const decodeMessage = Schema.decodeUnknownOption(Message)

/** The most tokens that an answer can need. */
const MOST_TOKENS = 400

const PROTOCOLS: { readonly [P in ModelProtocol]: Protocol } = {
  openai: {
    path: "/chat/completions",
    headers: (key) => ({ Authorization: `Bearer ${key}` }),
    body: (model, { schema, system, user }) => ({
      model,
      messages: [
        { role: "system", content: system },
        { role: "user", content: user },
      ],
      response_format: { type: "json_schema", json_schema: { name: NAME, schema } },
    }),
    text: (answer) => {
      const decoded = decodeCompletion(answer)
      return decoded._tag === "Some" ? decoded.value.choices[0].message.content : undefined
    },
  },
  anthropic: {
    path: "/messages",
    headers: (key) => ({ "X-Api-Key": key, "Anthropic-Version": "2023-06-01" }),
    body: (model, { schema, system, user }) => ({
      model,
      max_tokens: MOST_TOKENS,
      system,
      messages: [{ role: "user", content: user }],
      tools: [{ name: NAME, description: "Says what the text asks for.", input_schema: schema }],
      tool_choice: { type: "tool", name: NAME },
    }),
    text: (answer) => {
      const decoded = decodeMessage(answer)
      if (decoded._tag === "None") return undefined
      const use = decoded.value.content.find(({ type }) => type === "tool_use")
      return use === undefined ? undefined : JSON.stringify(use.input)
    },
  },
}

/** Returns the HTTP request to a model's provider, and the function that reads its answer. */
export const modelCall = ({ key, model, protocol, url }: ModelSettings, request: ModelRequest) => {
  const { body, headers, path, text } = PROTOCOLS[protocol]
  return {
    url: `${url}${path}`,
    headers: { "Content-Type": "application/json", ...headers(Redacted.value(key)) },
    body: JSON.stringify(body(model, request)),
    text,
  }
}
