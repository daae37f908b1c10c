import type { FastifyRequest } from 'fastify'
import {
  DELIVERY_STATES,
  type Delivery,
  DeliveryPage,
  type Webhook,
  WebhookList,
  type WebhookMode,
  WebhookRequest,
  WebhookSecret,
  WebhookTest,
  type WebhookType,
} from '../../../shared/api/webhooks.ts'
import { fromStored } from '../../db/paths.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { callerOf, parameterOf, queryOf, type Route, remark } from '../../routing/route.ts'
import type { WebhookSender } from './sender.ts'
import {
  type CountedWebhook,
  findDelivery,
  listDeliveries,
  type StoredDelivery,
  type StoredWebhook,
  updateDelivery,
} from './webhooks.store.ts'
import { newMessageId, type Webhooks } from './webhooks.ts'

export interface WebhookRouteDeps {
  db: Db
  config: { webhooks: WebhookMode; webhookNetworks: readonly string[]; publicURL: string }
  webhooks: Webhooks
  webhookSender: WebhookSender
  outbound: Outbound
  cluster: { publish(name: 'webhook.waiting', payload: Record<string, never>): void }
}

/** Events of a page. */
const PAGE = 50
const ID = 'The id of the webhook.'

/** Webhooks: those of the administrators, and those of users (http-api 32). */
export function webhookRoutes(deps: WebhookRouteDeps): Route[] {
  return [listRoute(deps), ...changeRoutes(deps), ...secretRoutes(deps), ...deliveryRoutes(deps)]
}

const listRoute = ({ webhooks, config }: WebhookRouteDeps): Route => ({
  method: 'GET',
  path: '/api/webhooks',
  access: 'user',
  token: 'admin',
  describes: {
    summary: 'List the webhooks: of administrators those that see everything, of users their own',
    answers: { 200: { text: 'The webhooks, the oldest first, without their secrets.', schema: WebhookList } },
  },
  async handler(request): Promise<WebhookList> {
    const { webhooks: mode, webhookNetworks } = config
    const listed = await webhooks.list(callerOf(request).user)
    return { permitted: mode !== 'off', networks: [...webhookNetworks], webhooks: listed.map(toWire) }
  },
})

function changeRoutes(deps: WebhookRouteDeps): Route[] {
  const { webhooks } = deps
  return [
    {
      method: 'POST',
      path: '/api/webhooks',
      access: 'user',
      token: 'admin',
      records: 'webhook.add',
      schema: WebhookRequest,
      describes: {
        summary: 'Add a webhook',
        answers: {
          201: { text: 'Its id and its secret, which no list contains.', schema: WebhookSecret },
          409: { text: 'There are too many webhooks.' },
        },
        refuses: [400],
      },
      async handler(request, reply) {
        const body = await checked(deps, request)
        const { id, name, secret } = await webhooks.add(body, callerOf(request).user)
        remark(request, { target: name })
        return reply
          .code(201)
          .header('Cache-Control', 'no-store')
          .send({ id, secret } satisfies WebhookSecret)
      },
    },
    {
      method: 'PUT',
      path: '/api/webhooks/:id',
      access: 'user',
      token: 'admin',
      records: 'webhook.change',
      schema: WebhookRequest,
      describes: {
        summary: 'Change a webhook',
        path: ID,
        answers: { 200: { text: 'It is in force with the next event.' } },
        refuses: [400, 404],
      },
      async handler(request, reply) {
        const body = await checked(deps, request)
        await webhooks.change(parameterOf(request, 'id'), body, callerOf(request).user)
        remark(request, { target: body.name })
        deps.cluster.publish('webhook.waiting', {})
        return reply.code(200).send()
      },
    },
    {
      method: 'DELETE',
      path: '/api/webhooks/:id',
      access: 'user',
      token: 'admin',
      records: 'webhook.remove',
      describes: {
        summary: 'Remove a webhook, with the events that wait for it',
        path: ID,
        answers: { 204: { text: 'Nothing more is sent to it.' } },
        refuses: [404],
      },
      async handler(request, reply) {
        const { id, name } = await demanded(deps, request)
        await webhooks.remove(id, callerOf(request).user)
        remark(request, { target: name })
        return reply.code(204).send()
      },
    },
  ]
}

function secretRoutes(deps: WebhookRouteDeps): Route[] {
  const { webhooks, webhookSender } = deps
  return [
    {
      method: 'POST',
      path: '/api/webhooks/:id/secret',
      access: 'user',
      token: 'admin',
      records: 'webhook.change',
      describes: {
        summary: 'Replace the secret of a webhook; for a day the old one signs, too',
        path: ID,
        answers: { 200: { text: 'The new secret, which no other response contains.', schema: WebhookSecret } },
        refuses: [404],
      },
      async handler(request, reply) {
        const { id, name } = await demanded(deps, request)
        const secret = await webhooks.renewSecret(id, callerOf(request).user)
        remark(request, { target: name })
        return reply.header('Cache-Control', 'no-store').send({ id, secret } satisfies WebhookSecret)
      },
    },
    {
      method: 'POST',
      path: '/api/webhooks/:id/test',
      access: 'user',
      token: 'admin',
      records: 'nothing',
      describes: {
        summary: 'Send an event of the type `webhook.test`, once',
        path: ID,
        answers: { 200: { text: 'What the receiver answered, or why there was no answer.', schema: WebhookTest } },
        refuses: [403, 404],
      },
      async handler(request): Promise<WebhookTest> {
        const webhook = await demanded(deps, request)
        demandPermitted(deps)
        const event = { type: 'webhook.test', timestamp: new Date().toISOString(), data: {} }
        const { status, reason, answer, ms } = await webhookSender.try(webhook, newMessageId(), JSON.stringify(event))
        return { status, reason, answer, ms }
      },
    },
  ]
}

function deliveryRoutes(deps: WebhookRouteDeps): Route[] {
  const { db, webhooks, cluster } = deps
  return [
    {
      method: 'GET',
      path: '/api/webhooks/:id/deliveries',
      access: 'user',
      token: 'admin',
      describes: {
        summary: 'List the events of a webhook, the newest first',
        path: ID,
        query: {
          state: { text: 'Only those in this state.', of: DELIVERY_STATES },
          before: 'The id of an event: only older ones.',
        },
        answers: { 200: { text: `${PAGE} events at most.`, schema: DeliveryPage } },
        refuses: [404],
      },
      async handler(request): Promise<DeliveryPage> {
        const webhook = await demanded(deps, request)
        const state = queryOf(request, 'state')
        const how = { state: state || undefined, before: queryOf(request, 'before') || undefined, limit: PAGE + 1 }
        const rows = await listDeliveries(db, webhook.id, how)
        const shown = await webhooks.tellable(webhook, rows.slice(0, PAGE))
        return { deliveries: shown.map(toWireDelivery), more: rows.length > PAGE }
      },
    },
    {
      method: 'POST',
      path: '/api/webhooks/:id/deliveries/:delivery/again',
      access: 'user',
      token: 'admin',
      records: 'nothing',
      describes: {
        summary: 'Send an event again, now',
        path: ID,
        answers: { 202: { text: 'It waits to be sent.' } },
        refuses: [404],
      },
      async handler(request, reply) {
        const { id } = await demanded(deps, request)
        const delivery = parameterOf(request, 'delivery')
        if (!(await findDelivery(db, id, delivery))) throw new AppError('not_found')
        await updateDelivery(db, delivery, { state: 'waiting', tries: 0, next_at: Date.now(), ended_at: null })
        cluster.publish('webhook.waiting', {})
        return reply.code(202).send()
      },
    },
  ]
}

/** A request whose address may be called. @throws AppError `bad_request`, `forbidden` where the host permits none */
async function checked(deps: WebhookRouteDeps, request: FastifyRequest): Promise<WebhookRequest> {
  deps.webhooks.demandCaller(callerOf(request).user)
  demandPermitted(deps)
  const body = request.body as WebhookRequest
  demandFolder(body.folder)
  const { publicURL } = deps.config
  if (publicURL !== '' && URL.parse(body.url)?.host === new URL(publicURL).host) {
    throw new AppError('bad_request', 'The address is that of this server.')
  }
  await deps.outbound.check(body.url)
  return body
}

/** @throws AppError `bad_request` for what is no path of a folder: one with `..` never matches, and looks as if it did */
function demandFolder(folder: string): void {
  if (folder === '') return
  if (!folder.startsWith('/')) throw new AppError('bad_request', 'folder: must begin with /')
  if (folder.split('/').includes('..')) throw new AppError('bad_request', 'folder: is no path')
}

const demanded = ({ webhooks }: WebhookRouteDeps, request: FastifyRequest): Promise<StoredWebhook> =>
  webhooks.demand(parameterOf(request, 'id'), callerOf(request).user)

function demandPermitted({ config }: WebhookRouteDeps): void {
  if (config.webhooks === 'off') throw new AppError('forbidden', 'The host permits no webhooks.')
}

const timeOf = (at: number | null) => (at === null ? null : new Date(at).toISOString())

function toWire(row: CountedWebhook): Webhook {
  const { id, name, url, waiting, dead, dropped } = row
  return {
    ...{ id, name, url, waiting, dead, dropped: Number(dropped) },
    types: JSON.parse(row.types) as WebhookType[],
    folder: fromStored(row.folder),
    pattern: row.pattern,
    enabled: row.enabled === 1,
    offReason: row.off_reason as Webhook['offReason'],
    created: new Date(row.created_at).toISOString(),
    lastDelivery: timeOf(row.last_delivery),
    failingSince: timeOf(row.failing_since),
  }
}

function toWireDelivery(row: StoredDelivery): Delivery {
  const { id, type, tries, body } = row
  return {
    ...{ id, type, tries, body },
    state: row.state as Delivery['state'],
    created: new Date(row.created_at).toISOString(),
    next: row.state === 'waiting' ? timeOf(row.next_at) : null,
    ended: timeOf(row.ended_at),
    status: row.last_status,
    reason: row.last_reason,
    answer: row.last_answer,
    ms: row.last_ms,
  }
}
