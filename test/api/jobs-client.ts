import type { Job, JobRequest } from '../../shared/api/jobs.ts'
import { type Answer, call, json, type Place } from './client.ts'

/** Calls about jobs, as one user. */
export interface JobsClient {
  ask(request: Partial<JobRequest> | unknown): Promise<Answer>
  list(): Promise<Answer>
  get(id: string): Promise<Answer>
  cancel(id: string): Promise<Answer>
  /** Pauses or resumes a job; anything else than a boolean is sent as it is. */
  pause(id: string, paused: unknown): Promise<Answer>
  forget(id: string): Promise<Answer>
  /** Creates a job and waits for its end. */
  run(request: Partial<JobRequest>): Promise<Job>
  /** Waits until a job has ended. */
  ended(id: string): Promise<Job>
}

export function jobsOf(instance: Pick<Place, 'url'>, { token }: { token?: string }): JobsClient {
  const send = (path: string, method = 'GET') =>
    call(instance, `/api/jobs${path}`, { method, ...(token === undefined ? {} : { token }) })
  const sendJson = (path: string, method: string, body: unknown) =>
    call(instance, `/api/jobs${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Prefer: 'wait=20' },
      body: JSON.stringify(body),
      ...(token === undefined ? {} : { token }),
    })
  const client: JobsClient = {
    ask: request => sendJson('', 'POST', request),
    list: () => send(''),
    get: id => send(`/${id}`),
    cancel: id => send(`/${id}/cancel`, 'POST'),
    pause: (id, paused) => sendJson(`/${id}`, 'PATCH', { paused }),
    forget: id => send(`/${id}`, 'DELETE'),
    async run(request) {
      const answer = await client.ask(request)
      if (answer.status >= 300) throw new Error(`The job was refused: ${answer.status} ${answer.text}`)
      return answer.status === 200 ? json(answer) : client.ended(json(answer).id)
    },
    async ended(id) {
      // A job of many items takes long, and its server long to answer with all of them.
      for (let wait = 50; ; wait = Math.min(wait * 1.2, 2000)) {
        const job: Job = json(await client.get(id))
        if (job.ended !== undefined) return job
        await new Promise(resolve => setTimeout(resolve, wait))
      }
    },
  }
  return client
}
