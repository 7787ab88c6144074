import { Metric } from "effect"

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const counter = (name: string, description: string): Metric.Counter<number> =>
  Metric.counter(name, { description, incremental: true })

const gauge = (name: string, description: string): Metric.Gauge<number> =>
  Metric.gauge(name, { description })

const histogram = (name: string, description: string, boundaries = SECONDS) =>
  Metric.histogram(name, { description, boundaries })

/**
 * Every metric of the service, except those that the core's verbs define. Dashboards and alert
 * rules rely on these names. Labels have few values. Labels for receivers name only the busiest.
 */
export const METRICS = {
  requests: counter(
    "payport_http_requests_total",
    "Requests answered, by route, method and status.",
  ),
  durations: histogram(
    "payport_http_request_duration_seconds",
    "Time from the request's head to its answer, by route and method.",
  ),
  inFlight: gauge("payport_http_requests_in_flight", "Requests that are being served."),
  streams: gauge("payport_http_event_streams", "Event streams that are open."),
  loopDelay: gauge(
    "payport_event_loop_delay_seconds",
    "How late the event loop ran since the last look, by quantile.",
  ),
  memory: gauge("payport_memory_bytes", "Memory of the process, by kind."),

  poolWait: histogram(
    "payport_pool_wait_seconds",
    "How long statements waited for a connection, by pool.",
  ),
  storeFailures: counter(
    "payport_store_failures_total",
    "Statements and groups of commits that failed, by pool and kind.",
  ),
  groupSize: histogram(
    "payport_commit_group_size",
    "Commits that left together.",
    [1, 2, 4, 8, 16, 32, 64],
  ),
  groupDuration: histogram(
    "payport_commit_group_duration_seconds",
    "Time from sending a group of commits to its answer.",
  ),
  commitsWaiting: gauge("payport_commits_waiting", "Commits in line for the next group."),
  cacheHits: counter("payport_cache_hits_total", "Reads answered by a cache, by cache."),
  cacheMisses: counter("payport_cache_misses_total", "Reads that a cache had no answer to."),
  cacheEntries: gauge("payport_cache_entries", "Answers that are kept, by cache."),
  leases: counter(
    "payport_rate_leases_total",
    "Slices of rate windows asked for, by outcome: granted, used_up.",
  ),
  leaseDuration: histogram(
    "payport_rate_lease_duration_seconds",
    "How long a question for slices of rate windows took.",
  ),

  replicaUsed: gauge("payport_replica_used", "Whether a replica answers reads: 1 or 0."),
  replicaAge: gauge(
    "payport_replica_age_seconds",
    "How old what a replica shows may be; NaN where nobody knows.",
  ),
  replicaReads: counter(
    "payport_replica_reads_total",
    "Reads that a replica may answer, by outcome: replica, own_writes, no_replica, failed.",
  ),

  channelCalls: counter(
    "payport_channel_calls_total",
    "Calls to channels, by channel, operation and outcome.",
  ),
  channelDuration: histogram(
    "payport_channel_call_duration_seconds",
    "How long channels took to answer, by channel and operation.",
  ),
  breaker: gauge(
    "payport_channel_breaker",
    "Circuit breakers of channels: 0 closed, 1 on trial, 2 open.",
  ),
  webhooks: counter("payport_webhook_attempts_total", "Webhooks sent, by outcome."),
  webhookDuration: histogram(
    "payport_webhook_attempt_duration_seconds",
    "How long receivers took to answer.",
  ),

  due: gauge(
    "payport_due_records",
    "Records whose time has come, by kind; at most 10000 are counted.",
  ),
  dueLag: gauge(
    "payport_due_lag_seconds",
    "How long the record that is due the longest has been so, by kind.",
  ),
  backlog: gauge(
    "payport_delivery_backlog",
    "Deliveries that have not ended, of the ten receivers with the most, and of the others.",
  ),
  channelRequests: gauge(
    "payport_channel_requests_open",
    "Requests to channels without a final answer, by channel and status.",
  ),
  channelRequestAge: gauge(
    "payport_channel_request_age_seconds",
    "Age of the oldest request without a final answer, by channel and status.",
  ),
  countedAt: gauge(
    "payport_backlog_counted_timestamp_seconds",
    "When due records, deliveries and channel requests were last counted, in Unix time.",
  ),
} as const
