import * as z from 'zod/mini'
import { Change, ChangeStep } from './changes.ts'

/** Who sees the names of users next to what they changed. */
export const ACTIVITY_NAMES = ['everyone', 'admins', 'own'] as const
export type ActivityNames = (typeof ACTIVITY_NAMES)[number]

/** A change, with what it did to a file, or to a folder and what is in it; `count`, `first` and `folder` are about that. */
export const ActivityItem = z.object({
  ...Change.shape,
  /** The first of its steps. */
  step: ChangeStep,
})
export type ActivityItem = z.infer<typeof ActivityItem>

/** Response of `GET /api/activity/{path}`: the newest first. */
export const ActivityPage = z.object({
  items: z.array(ActivityItem),
  /** The `before` of the next page; absent when there is none. A page can have fewer items than fit. */
  next: z.exactOptional(z.string()),
})
export type ActivityPage = z.infer<typeof ActivityPage>
