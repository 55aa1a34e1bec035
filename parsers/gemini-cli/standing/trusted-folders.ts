import { entryOf, jsonObjectReader, PERMISSION, valueText } from '../../shared/standing.ts';

/** Reader of `trustedFolders.json`: a level of trust for each folder. */
export const readTrustedFolders = jsonObjectReader((folders) =>
  Object.entries(folders).map(([path, level]) => {
    const value = valueText(level);
    return entryOf(PERMISSION, {
      key: `trustedFolders.${path}`,
      value,
      project: path,
      attributes: {
        kind: 'folder_trust',
        scope: 'home',
        folder: path,
        decision: value === 'DO_NOT_TRUST' ? 'deny' : 'allow',
        ...(value === 'TRUST_PARENT' && { trust_all: true }),
      },
    });
  }),
);
