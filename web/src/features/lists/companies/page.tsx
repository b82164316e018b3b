import { listPage } from '#/lists/ListPage';
import { companies } from './def';

export default listPage(companies);
