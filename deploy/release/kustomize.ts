import { outputPath, root } from './outputs.ts'
import { pack } from './pack.ts'

/** The folder that overlays of others build upon, see docs/install/kubernetes.md. */
export async function packKustomize(): Promise<void> {
  pack(outputPath('-kustomize.tar.gz'), { cwd: root, paths: ['k8s'] })
}
