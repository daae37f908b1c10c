import { SnapshotPage } from '../features/snapshots/snapshot-page.tsx'
import { KeptFile } from '../features/trash/kept-file.tsx'
import type { Route } from '../lib/route.ts'
import { sharedViewer } from './viewers.ts'

/** `/files/*?at=`: a folder or file as it was in a snapshot. */
export default function SnapshotScreen({ route }: { route: Extract<Route, { name: 'snapshot' }> }) {
  const { at, path, folderHint } = route
  return (
    <SnapshotPage
      place={{ at, path }}
      isDir={folderHint}
      showFile={(file, source) => <KeptFile file={file} source={source} findViewer={sharedViewer} />}
    />
  )
}
