import torch
import torch.distributed as dist
dist.init_process_group("nccl")
rank = dist.get_rank()
torch.cuda.set_device(rank)
x = torch.ones(4, device="cuda")
for step in range(3):
    dist.all_reduce(x)
if rank == 0:
    dist.all_gather([x.clone(), x.clone()], x)
dist.all_reduce(x)
torch.cuda.synchronize()
