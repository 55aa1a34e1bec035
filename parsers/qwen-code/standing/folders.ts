import { asObject, asText } from '../../shared/fields.ts';
import { entryOf, jsonObjectReader, PERMISSION, valueText } from '../../shared/standing.ts';

/** Reader of `trustedFolders.json`: a level of trust for each folder. */
export const readTrustedFolders = jsonObjectReader((folders) =>
  Object.entries(folders).map(([folder, level]) => {
    const value = valueText(level);
    return entryOf(PERMISSION, {
      key: `trustedFolders.${folder}`,
      value,
      project: folder,
      attributes: {
        kind: 'folder_trust',
        scope: 'home',
        folder,
        decision: value === 'DO_NOT_TRUST' ? 'deny' : 'allow',
        ...(value === 'TRUST_PARENT' && { trust_all: true }),
      },
    });
  }),
);

interface RawApproval {
  readonly status?: unknown;
  readonly hash?: unknown;
}

/** Reader of `mcpApprovals.json`: for each project the tool servers of its own that may run, each by its hash. */
export const readMcpApprovals = jsonObjectReader((projects) =>
  Object.entries(projects).flatMap(([project, servers]) =>
    Object.entries(asObject(servers) ?? {}).map(([server, value]) => {
      const { status, hash } = asObject<RawApproval>(value) ?? {};
      const decision = asText(status) ?? 'unknown';
      return entryOf(PERMISSION, {
        key: `mcpApprovals.${project}[${server}]`,
        value: `${decision} ${asText(hash) ?? '-'}`,
        subject: `mcpApprovals.${server}=${decision}`,
        project,
        attributes: {
          kind: 'mcp_approval',
          scope: 'home',
          server,
          decision: decision === 'approved' ? 'allow' : 'deny',
        },
      });
    }),
  ),
);
