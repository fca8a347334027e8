import { allModels } from '../../../lib/catalog/models';
import type { VideoModel } from '../../../lib/domain/model';

/** The models of the catalog that make videos. */
export const videoModels: readonly VideoModel[] = allModels.filter((model) => model.capability === 'video');
