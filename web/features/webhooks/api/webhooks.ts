import type {
  DeliveryPage,
  WebhookList,
  WebhookRequest,
  WebhookSecret,
  WebhookTest,
} from '../../../../shared/api/webhooks.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'

const KEY = 'webhooks'

/** The webhooks as a query: `GET /api/webhooks` (http-api 32). */
export const webhooksQuery = queryOptions({
  queryKey: [KEY],
  queryFn: ({ signal }) => apiJson<WebhookList>('/api/webhooks', { signal }),
})

/** The latest events of a webhook as a query. */
export const deliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: [KEY, id],
    queryFn: ({ signal }) => apiJson<DeliveryPage>(`${placeOf(id)}/deliveries`, { signal }),
  })

/** @returns the secret, which no other response contains @throws ApiError */
export async function addWebhook(request: WebhookRequest): Promise<WebhookSecret> {
  return apiJson<WebhookSecret>('/api/webhooks', { ...bodyOf(request), method: 'POST' })
}

/** @throws ApiError */
export async function changeWebhook(id: string, request: WebhookRequest): Promise<void> {
  await api(placeOf(id), { ...bodyOf(request), method: 'PUT' })
}

/** @throws ApiError */
export async function removeWebhook(id: string): Promise<void> {
  await api(placeOf(id), { method: 'DELETE' })
}

/** @throws ApiError */
export async function testWebhook(id: string): Promise<WebhookTest> {
  return apiJson<WebhookTest>(`${placeOf(id)}/test`, { method: 'POST' })
}

/** Sends an event again. @throws ApiError */
export async function sendAgain(id: string, delivery: string): Promise<void> {
  await api(`${placeOf(id)}/deliveries/${encodeURIComponent(delivery)}/again`, { method: 'POST' })
}

export async function reloadWebhooks(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [KEY] })
}

const placeOf = (id: string) => `/api/webhooks/${encodeURIComponent(id)}`

const bodyOf = (request: WebhookRequest) => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(request),
})
