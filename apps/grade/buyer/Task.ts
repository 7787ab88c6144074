/** The kinds of tasks for an agent. */
export const KINDS = ["service", "quote", "tools", "resource", "refund", "webhook"] as const
export type Kind = (typeof KINDS)[number]

/** A task as the agent gets it. */
export interface Task {
  /** Unique within the run. */
  readonly id: string
  readonly kind: Kind
  /** The task in words. */
  readonly text: string
  /** The largest total cost, in minor units of `currency`. */
  readonly budget: number
  readonly currency: string
  /** The base URL of the service, and the agent's key there. */
  readonly payport_url: string
  readonly api_key: string
  /** The agent's name at the service. */
  readonly agent_id: string
  /** The MCP URL of its tools. */
  readonly mcp_url: string
  /** The exact name of the service to buy, for the kinds service, quote, tools and webhook. */
  readonly service_name?: string
  /** The service's id; omitted if the agent has to find it. */
  readonly service_id?: string
  /** For the kind resource: the URL that answers 402, and the service that it is paid to. */
  readonly resource?: string
  readonly pay_to?: string
  /** For the kind refund: the payment to be refunded. */
  readonly payment_intent?: string
  /** For the kind webhook: the secret that signs deliveries to the agent's receiver. */
  readonly webhook_secret?: string
}

const NAMES = {
  id: "TASK_ID",
  kind: "TASK_KIND",
  text: "TASK",
  budget: "BUDGET",
  currency: "CURRENCY",
  payport_url: "PAYPORT_URL",
  api_key: "PAYPORT_API_KEY",
  agent_id: "AGENT_ID",
  mcp_url: "MCP_URL",
  service_name: "SERVICE_NAME",
  service_id: "SERVICE_ID",
  resource: "RESOURCE_URL",
  pay_to: "PAY_TO",
  payment_intent: "PAYMENT_INTENT",
  webhook_secret: "PAYPORT_WEBHOOK_SECRET",
} as const satisfies { readonly [F in keyof Required<Task>]: string }

/** Returns the environment variables that describe a task to a command. */
export const variablesOf = (task: Task): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(NAMES).flatMap(([field, name]) => {
      const value = task[field as keyof Task]
      return value === undefined ? [] : [[name, String(value)]]
    }),
  )
