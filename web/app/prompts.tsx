import type { ComponentProps, ComponentType } from 'react'
import {
  lazyHistory,
  lazyHost,
  lazyLinks,
  lazyPart,
  lazySettings,
  lazySignIn,
  lazyTool,
  lazyWebhooks,
} from '../lib/lazy.ts'
import { loadPeople } from '../lib/people.ts'
import type { OpenPrompt } from '../lib/prompts.ts'

/** Which component shows a prompt; one line per prompt. Its props are those of `openPrompt`. */
const PROMPTS = {
  help: lazyTool(() => import('./help.tsx')),
  palette: lazyTool(() => import('./palette/palette.tsx')),
  notices: lazyPart(() => import('./notice-log.tsx')),
  info: lazyPart(() => import('../features/files/operations/prompts/info.tsx')),
  create: lazyPart(() => import('../features/files/operations/prompts/create.tsx')),
  transfer: lazyPart(() => import('../features/files/operations/prompts/transfer.tsx')),
  pack: lazyPart(() => import('../features/files/operations/prompts/pack.tsx')),
  extract: lazyHistory(() => import('../features/files/operations/prompts/extract.tsx')),
  rename: lazyPart(() => import('../features/files/operations/prompts/rename.tsx')),
  renameMany: lazyHistory(() => import('../features/rename-many/prompts/rename-many.tsx')),
  versions: lazyHistory(() => import('../features/versions/prompts/versions.tsx')),
  compareVersions: lazyHistory(() => import('../features/editor/prompts/compare-versions.tsx')),
  download: lazyPart(() => import('../features/files/operations/prompts/download.tsx')),
  delete: lazyHistory(() => import('../features/files/operations/prompts/delete.tsx')),
  upload: lazyPart(() => import('../features/uploads/prompts/upload.tsx')),
  cancelUploads: lazyPart(() => import('../features/uploads/prompts/cancel-all.tsx')),
  replace: lazyPart(() => import('../features/files/operations/prompts/replace.tsx')),
  share: lazyLinks(() => import('../features/shares/prompts/share.tsx')),
  visitorFolder: lazyLinks(() => import('../features/public-share/prompts/visitor-folder.tsx')),
  visitorRename: lazyLinks(() => import('../features/public-share/prompts/visitor-rename.tsx')),
  visitorDelete: lazyLinks(() => import('../features/public-share/prompts/visitor-delete.tsx')),
  visitorName: lazyLinks(() => import('../features/public-share/prompts/visitor-name.tsx')),
  visitorMove: lazyLinks(() => import('../features/public-share/prompts/visitor-move.tsx')),
  shareSeveral: lazyLinks(() => import('../features/shares/prompts/share-several.tsx')),
  leaveShared: lazyLinks(() => import('../features/shares/prompts/leave-shared.tsx')),
  linkMail: lazyLinks(() => import('../features/shares/prompts/link-mail.tsx')),
  visits: lazyLinks(() => import('../features/shares/prompts/visits.tsx')),
  deliveries: lazyLinks(() => import('../features/shares/prompts/deliveries.tsx')),
  shareDelete: lazyPart(() => import('../features/shares/prompts/share-delete.tsx')),
  queue: lazyTool(() => import('../features/preview/prompts/queue.tsx')),
  playLink: lazyTool(() => import('../features/preview/prompts/play-link.tsx')),
  schedule: lazyTool(() => import('../features/jobs/prompts/schedule.tsx')),
  deleteUser: lazySettings(() => import('../features/users/prompts/delete-user.tsx')),
  deleteGroup: lazyPart(() => loadPeople(() => import('../features/users/prompts/delete-group.tsx'))),
  removeMount: lazyPart(() => loadPeople(() => import('../features/users/prompts/remove-mount.tsx'))),
  token: lazySettings(() => import('../features/settings/prompts/token.tsx')),
  tokenEnd: lazySettings(() => import('../features/settings/prompts/token-end.tsx')),
  chooseScope: lazySettings(() => import('../features/settings/prompts/choose-scope.tsx')),
  factor: lazySignIn(() => import('../features/settings/prompts/factor.tsx')),
  webhook: lazyWebhooks(() => import('../features/webhooks/prompts/webhook.tsx')),
  webhookLog: lazyWebhooks(() => import('../features/webhooks/prompts/webhook-log.tsx')),
  webhookRemove: lazyWebhooks(() => import('../features/webhooks/prompts/webhook-remove.tsx')),
  discard: lazyPart(() => import('./discard.tsx')),
  hostSetting: lazyHost(() => import('../features/diagnostics/prompts/host-setting.tsx')),
  signInTrial: lazyHost(() => import('../features/diagnostics/prompts/sign-in-trial.tsx')),
  signInTrialResult: lazyHost(() => import('../features/diagnostics/prompts/sign-in-trial-result.tsx')),
  leaveText: lazyTool(() => import('../features/editor/prompts/leave-text.tsx')),
  changedText: lazyTool(() => import('../features/editor/prompts/changed-text.tsx')),
  purge: lazyHistory(() => import('../features/trash/prompts/purge.tsx')),
  emptyTrash: lazyHistory(() => import('../features/trash/prompts/empty.tsx')),
  restoreTo: lazyHistory(() => import('../features/trash/prompts/restore-to.tsx')),
  tags: lazyHistory(() => import('../features/marks/prompts/tags.tsx')),
  editTag: lazyHistory(() => import('../features/marks/prompts/edit-tag.tsx')),
  deleteTag: lazyHistory(() => import('../features/marks/prompts/delete-tag.tsx')),
  history: lazyHistory(() => import('../features/history/prompts/history.tsx')),
  undo: lazyHistory(() => import('../features/history/prompts/undo.tsx')),
  restoreSnapshot: lazyHistory(() => import('../features/snapshots/prompts/restore-snapshot.tsx')),
  rewind: lazyHistory(() => import('../features/snapshots/prompts/rewind.tsx')),
  columns: lazyTool(() => import('../features/files/listing/prompts/columns.tsx')),
  explainAccess: lazySettings(() => import('../features/explain-access/prompts/explain-access.tsx')),
  locked: lazyHistory(() => import('../features/files/locks/prompts/locked.tsx')),
  error: lazyPart(() => import('../features/files/operations/prompts/error.tsx')),
}

type Registered = { [N in keyof typeof PROMPTS]: ComponentProps<(typeof PROMPTS)[N]> }

declare module '../lib/prompts.ts' {
  interface PromptProps extends Registered {}
}

/** The component of a prompt, with its props. */
export default function Prompt({ prompt }: { prompt: OpenPrompt }) {
  // Name and props match by construction of `openPrompt`.
  const Component = PROMPTS[prompt.name] as ComponentType<OpenPrompt['props']>
  return <Component {...prompt.props} />
}
