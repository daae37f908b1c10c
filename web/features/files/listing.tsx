/** The content of one folder. */
export default function FolderView({ path }: { path: string }) {
  return <p>{path}</p>
}
